import Enforcement

/// Tells, once, when a camera's pictures are none, or no longer show the road, and when they do again.
struct PictureAlarms {
    private let camera: String
    private var unreadable = UnreadableRun()
    private var said: SceneWatch.Trouble?

    init(camera: String) {
        self.camera = camera
    }

    mutating func cannotBeRead(because reason: String, _ alarms: LaterAlarms?) {
        guard unreadable.goesOn() else { return }
        alarms?.raise(
            "pictures.\(camera)", .critical,
            "The last \(unreadable.count) pictures of the camera \(camera) can't be read: \(reason)",
            hint: "Look at its picture, its settings and its cable: no vehicle is seen.")
    }

    /// - Parameter trouble: what is wrong with what it shows.
    mutating func canBeRead(_ trouble: SceneWatch.Trouble?, _ alarms: LaterAlarms?) {
        if unreadable.ends() { alarms?.clear("pictures.\(camera)") }
        guard trouble != said else { return }
        said = trouble
        for key in ["blank.\(camera)", "frozen.\(camera)"] { alarms?.clear(key) }
        switch trouble {
        case .blank(let shade):
            let what =
                switch shade {
                case .dark: "black"
                case .bright: "white"
                case .plain: "one colour"
                }
            alarms?.raise(
                "blank.\(camera)", .warning,
                "The pictures of the camera \(camera) have shown nothing but \(what) for ten minutes: no vehicle is seen.",
                hint:
                    "Look at its picture on the page that sets it: is the lens covered, its light out, or the sun in it?"
            )
        case .frozen:
            alarms?.raise(
                "frozen.\(camera)", .critical,
                "The camera \(camera) has given the very same picture for five minutes: it hangs, and no vehicle is seen.",
                hint: "Take its power away for ten seconds. If it comes again, look for a newer version of its program."
            )
        case nil: break
        }
    }
}
