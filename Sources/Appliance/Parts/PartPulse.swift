import Foundation
import Synchronization

/// How a part shows the supervisor that it works: one byte for each piece of work, through a pipe that it was given at its start.
///
/// A beat is earned by work and sent from where the work is done, never by a timer beside it: a timer would go on while the work
/// hangs. The one exception is `waitsForDatabase`. In a process that is no part it does nothing.
final class PartPulse: Sendable {
    /// Where a part finds the pipe.
    static let partDescriptor: Int32 = 3

    private let descriptor: Int32
    private let hasBegun = Atomic(false)

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    static let none = PartPulse(descriptor: -1)
    static let part = PartPulse(descriptor: partDescriptor)

    /// What a beat says beside being one.
    enum Beat: UInt8 {
        case plain = 1
        /// A passage could be recorded now.
        case able = 2
    }

    /// A full pipe holds beats enough.
    func beat(_ beat: Beat = .plain) {
        guard descriptor >= 0 else { return }
        hasBegun.store(true, ordering: .relaxed)
        var byte = beat.rawValue
        _ = write(descriptor, &byte, 1)
    }

    /// Another program holds the database: a part that waits for it doesn't hang, and what it holds in memory would be lost with it. Before
    /// the part's own first beat it says nothing, since that one means more.
    func waitsForDatabase() {
        if hasBegun.load(ordering: .relaxed) { beat() }
    }
}
