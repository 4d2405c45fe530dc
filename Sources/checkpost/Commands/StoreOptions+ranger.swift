import Enforcement
import Appliance
import Ranger
import Storage

extension StoreOptions {
    /// Opens the store and does something to its records. What is refused is an error with a hint.
    func asRanger<Value>(_ work: (RangerActions, Store) throws -> Value) throws -> Value {
        let store = try openStore()
        let actions = RangerActions(store: store, configuration: try configuration(orPilotFor: store))
        do {
            return try work(actions, store)
        } catch let refusal as RangerRefusal {
            throw AdvisedError(refusal.description, hint: refusal.hint)
        }
    }
}

extension RangerActions.Recorded {
    /// Prints what matching found.
    func printViolations() {
        for violation in violations { print("\(violation.plate): \(violation.kind.rawValue)") }
    }
}
