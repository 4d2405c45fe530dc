/// The frames around an event of a trigger: all of them are read, whether or not anything seems to move.
package struct TriggerLook: Sendable, Equatable, Codable {
    /// A vehicle is before the camera so long before it is at the loop, and after.
    package static let before = TimeSpan.seconds(3)
    package static let after = TimeSpan.seconds(6)

    /// Frames may wait for their turn: so many events are remembered.
    package static let most = 32

    /// The newest last.
    package private(set) var events: [Instant] = []

    package init() {}

    package mutating func add(_ event: Instant) {
        events.append(event)
        if events.count > Self.most { events.removeFirst() }
    }

    /// - Parameter moment: when a frame was taken.
    package func covers(_ moment: Instant) -> Bool {
        events.contains { moment >= $0 - Self.before && moment <= $0 + Self.after }
    }
}
