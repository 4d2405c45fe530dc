/// How a part's process ended.
package enum PartEnding: Equatable, Sendable {
    case exited(status: Int32)
    case signalled(Int32)

    /// `it was ended by signal 4 (a fault in the program)`.
    package var text: String {
        switch self {
        case .exited(let status): "it ended by itself with status \(status)"
        case .signalled(let number):
            "it was ended by signal \(number)" + (Self.meaning(number).map { " (\($0))" } ?? "")
        }
    }

    /// The numbers are Linux's, the same on x86-64 and arm64.
    private static func meaning(_ signal: Int32) -> String? {
        switch signal {
        case 4, 5: "a fault in the program"
        case 6: "the program gave up"
        case 7: "the memory or the disk behind it failed"
        case 9: "killed, by the system for want of memory or by a person"
        case 11: "a fault in the program: memory that isn't its own"
        case 15: "asked to stop"
        default: nil
        }
    }
}
