import Enforcement
import Foundation

/// What the part of the trigger tells the cameras: when vehicles were there. In a file of the folder `run`, since each camera is a process
/// of its own.
enum TriggerWatch {
    /// Whether a frame of this camera, of that moment, is to be read since a trigger told of a vehicle.
    static func look(of camera: String, _ configuration: Configuration) -> @Sendable (Instant) -> Bool {
        guard let trigger = configuration.trigger, trigger.camera ?? camera == camera else { return { _ in false } }
        let path = RunFolder(dataFolder: configuration.dataFolder).triggerLook
        return { RunFolder.read(TriggerLook.self, from: path)?.covers($0) ?? false }
    }
}
