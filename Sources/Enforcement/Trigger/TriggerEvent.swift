/// A vehicle at the loop or in the beam of a trigger.
package struct TriggerEvent: Sendable, Equatable {
    /// What tells an event from every other one of its device.
    package struct Name: Hashable, Sendable {
        /// Drawn by the device when its power comes.
        package var boot: UInt16

        /// Counted from 1 since then; 1 comes again after 65,535 and 0.
        package var number: UInt16

        package init(boot: UInt16, number: UInt16) {
            self.boot = boot
            self.number = number
        }
    }

    /// Over which of its loops first, where a device has two of them.
    package enum Direction: String, Sendable, CaseIterable {
        case forward, backward
    }

    package var name: Name

    /// When the vehicle was there, by the box's clock.
    package var at: Instant

    /// Of the loop; 0 where there is one only.
    package var lane: Int
    package var direction: Direction?

    /// As the device measured it, in steps of 0.1; nil where it measures none.
    package var speedKmh: Double?

    package init(name: Name, at: Instant, lane: Int = 0, direction: Direction? = nil, speedKmh: Double? = nil) {
        self.name = name
        self.at = at
        self.lane = lane
        self.direction = direction
        self.speedKmh = speedKmh
    }
}
