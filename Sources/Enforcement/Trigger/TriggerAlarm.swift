/// What the technician is told of a trigger.
package enum TriggerAlarm: Sendable, Hashable {
    /// Nothing has come for this long.
    case silent(TimeSpan)

    /// So many events were lost on the line since the box was started.
    case lost(Int)

    /// So many events the device had no room for.
    case overflow(Int)

    /// It sends more events than any road has vehicles; so many were dropped.
    case flood(Int)

    /// The same for the same trouble: `silent`.
    package var kind: String {
        switch self {
        case .silent: "silent"
        case .lost: "lost"
        case .overflow: "overflow"
        case .flood: "flood"
        }
    }
}
