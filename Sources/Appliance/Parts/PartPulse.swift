import Foundation

/// How a part shows the supervisor that it works: one byte for each piece of work, through a pipe that it was given at its start.
///
/// A beat is earned by work and sent from where the work is done, never by a timer beside it: a timer would go on while the work
/// hangs. In a process that is no part it does nothing.
struct PartPulse: Sendable {
    /// Where a part finds the pipe.
    static let partDescriptor: Int32 = 3

    private let descriptor: Int32

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
        var byte = beat.rawValue
        _ = write(descriptor, &byte, 1)
    }
}
