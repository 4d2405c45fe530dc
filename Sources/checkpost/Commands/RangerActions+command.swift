import ArgumentParser
import Capture
import Console
import Enforcement
import Storage

extension RangerActions {
    /// What a ranger does on the command line, with the rules of this box.
    init(store: Store, configuration: Configuration) {
        let matching = MatchingService(store: store, configuration: configuration)
        let isSimulated = configuration.isClockSimulated
        self.init(
            store: store, checkpostCode: configuration.post.code,
            clockState: {
                isSimulated ? .simulated : CaptureClock.kernelClockIsSynchronised() ? .synchronised : .untrusted
            },
            match: { try matching.match($0, at: BoxClock.now) }, clock: { BoxClock.now })
    }
}

extension StoreOptions {
    /// Opens the store and does something to its records. What is refused is an error with a hint.
    func asRanger<Value>(_ work: (RangerActions, Store) throws -> Value) throws -> Value {
        let store = try openStore()
        let actions = RangerActions(store: store, configuration: try configuration(orPilotFor: store))
        do {
            return try work(actions, store)
        } catch let refusal as RangerRefusal {
            throw CommandError(refusal.description, hint: refusal.hint)
        }
    }
}

extension RangerActions.Recorded {
    /// Prints what matching found.
    func printViolations() {
        for violation in violations { print("\(violation.plate): \(violation.kind.rawValue)") }
    }
}
