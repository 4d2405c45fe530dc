/// Whether it is worth an alarm that the server answers and cycles end early all the same.
package enum CycleAlarm: Sendable, Equatable {
    case raise(failure: String)
    case clear
    /// One failed cycle, or two, may pass by themselves; an alarm that is on stays.
    case leave

    package static let badCycles = 3

    /// - Parameter failures: of the last cycles, the newest first; nil for one that did all it could.
    package init(failures: [String?]) {
        // One whole cycle shows that the cause is gone.
        guard let newest = failures.first, let failure = newest else {
            self = .clear
            return
        }
        let bad = failures.prefix(Self.badCycles)
        self = bad.count == Self.badCycles && bad.allSatisfy { $0 != nil } ? .raise(failure: failure) : .leave
    }
}
