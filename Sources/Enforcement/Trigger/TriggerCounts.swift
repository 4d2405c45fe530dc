/// What came from a trigger since its part of the box was started.
package struct TriggerCounts: Sendable, Equatable, Codable {
    /// Events that are on record.
    package var events = 0

    /// Events that came once more, and were counted once.
    package var duplicates = 0

    /// Numbers that never came.
    package var lost = 0

    /// Events that the device had no room for, as it tells.
    package var overflow = 0

    /// Frames with a wrong checksum, or that make no sense.
    package var damaged = 0

    /// Events beyond what any road brings: they were dropped.
    package var flooded = 0

    package init() {}
}
