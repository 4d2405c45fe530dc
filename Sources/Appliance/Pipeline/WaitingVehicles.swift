import Synchronization

/// How many vehicles a part holds in memory, since the database takes nothing: a restart would lose them.
final class WaitingVehicles: Sendable {
    private let held = Atomic(0)

    var count: Int {
        get { held.load(ordering: .relaxed) }
        set { held.store(newValue, ordering: .relaxed) }
    }
}
