import Capture
import Enforcement
import Logging
import Storage

/// Remembers what is known of a camera's own clock, and tells the technician about it.
struct CameraClockKeeper: Sendable {
    let camera: String
    let store: Store
    let alarms: AlarmBoard
    let reader: HostClockReader
    let log: Logger

    private var key: String { "clock.camera.\(camera)" }

    /// The clock that the camera's frames are judged by.
    func makeClock() -> CaptureClock {
        let ahead = (try? store.clock.ahead(ofCamera: camera)) ?? .milliseconds(0)
        if ahead == .milliseconds(0) { alarms.clear(key) }
        return .live(CameraClock(ahead: ahead), host: { reader.read().time }, report: take)
    }

    private func take(_ news: CameraClock.News) {
        // Beside a clock that is wrong itself nothing is said of another one, and nothing is kept.
        guard reader.read().clock.isBelieved else { return }
        switch news {
        case .jumped(let step):
            alarms.raise(
                key, .warning,
                "The clock of the camera \(camera) jumped by \(Wording.span(step.magnitude)): "
                    + "its passages make no violations by themselves until it has been steady for some minutes.",
                hint: "Check the camera's date, time zone and time server, and whether its pictures come late.")
        case .learned(let ahead):
            do { try store.clock.set(ahead: ahead, ofCamera: camera, at: BoxClock.now) } catch {
                log.error("a camera's clock could not be noted", metadata: ["error": "\(error)"])
            }
            guard ahead != .milliseconds(0) else { return alarms.clear(key) }
            let direction = ahead > .milliseconds(0) ? "ahead" : "behind"
            alarms.raise(
                key, .warning,
                "The clock of the camera \(camera) is \(Wording.span(ahead.magnitude)) \(direction); "
                    + "the box takes that off its times.",
                hint: "Set the camera's clock, or its time server. If its pictures come late, mend the connection.")
        }
    }
}
