import Enforcement

/// Tells, once, when a camera no longer shows the road, and when it does again.
struct SceneAlarms {
    private let camera: String
    private var said: SceneWatch.Trouble?

    init(camera: String) {
        self.camera = camera
    }

    mutating func tell(_ trouble: SceneWatch.Trouble?, _ alarms: LaterAlarms?) {
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
