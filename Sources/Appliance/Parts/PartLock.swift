import Enforcement
import Foundation

/// Held by the one process that may be a part. The kernel lets go of it when the process ends, however it ends.
///
/// When an appliance is killed, its parts are killed by the kernel a moment later; those of the next one wait for that moment.
final class PartLock: Sendable {
    private static let step: UInt32 = 20_000
    private static let steps = 250

    private let descriptor: Int32

    /// Waits up to five seconds. Where no file can be made (a full disk) it goes without: there is hardly ever anybody to wait for.
    init(path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return }
        for _ in 0..<Self.steps where flock(descriptor, LOCK_EX | LOCK_NB) != 0 { usleep(Self.step) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw AdvisedError("Another process holds \(path).", hint: "It is tried again.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
