/// Which vehicle before a camera is which event of a trigger.
///
/// Vehicles pass one behind the other, so that pairs don't cross. As many pairs as possible are made, and of these the ones that lie nearest
/// in time: of an event without a plate and one with, a second later, the plate belongs to the second.
package enum TriggerPairing {
    /// A vehicle as a camera saw it, or as a ranger wrote it down.
    package struct Vehicle: Sendable, Equatable {
        package var id: String

        /// When its plate was seen best.
        package var seenAt: Instant

        /// An event between these may be this vehicle's.
        package var from: Instant
        package var until: Instant

        package init(id: String, seenAt: Instant, from: Instant, until: Instant) {
            self.id = id
            self.seenAt = seenAt
            self.from = from
            self.until = until
        }
    }

    package struct Pair: Sendable, Equatable {
        /// Of the event, in the list that was given.
        package var event: Int
        package var vehicle: String
    }

    /// - Parameters:
    ///   - events: in order. The work grows with their number times that of the vehicles: some hundreds of each at a time.
    ///   - vehicles: in any order.
    package static func pairs(_ events: [Instant], _ vehicles: [Vehicle]) -> [Pair] {
        let vehicles = vehicles.sorted { ($0.seenAt, $0.id) < ($1.seenAt, $1.id) }
        guard !events.isEmpty, !vehicles.isEmpty else { return [] }
        let width = vehicles.count + 1
        // The best that the first so many events and the first so many vehicles give.
        var best = [Score](repeating: Score(), count: (events.count + 1) * width)
        for event in 1...events.count {
            for vehicle in 1...vehicles.count {
                let alone = max(best[(event - 1) * width + vehicle], best[event * width + vehicle - 1])
                let paired = together(events[event - 1], vehicles[vehicle - 1], best[(event - 1) * width + vehicle - 1])
                best[event * width + vehicle] = max(alone, paired ?? alone)
            }
        }
        var pairs: [Pair] = []
        var (event, vehicle) = (events.count, vehicles.count)
        while event > 0, vehicle > 0 {
            let here = best[event * width + vehicle]
            if here == best[(event - 1) * width + vehicle] {
                event -= 1
            } else if here == best[event * width + vehicle - 1] {
                vehicle -= 1
            } else {
                pairs.append(Pair(event: event - 1, vehicle: vehicles[vehicle - 1].id))
                (event, vehicle) = (event - 1, vehicle - 1)
            }
        }
        return pairs.reversed()
    }

    private struct Score: Comparable {
        var pairs = 0
        var apart: Int64 = 0

        static func < (one: Score, other: Score) -> Bool {
            one.pairs == other.pairs ? one.apart > other.apart : one.pairs < other.pairs
        }
    }

    private static func together(_ event: Instant, _ vehicle: Vehicle, _ before: Score) -> Score? {
        guard event >= vehicle.from, event <= vehicle.until else { return nil }
        return Score(
            pairs: before.pairs + 1, apart: before.apart + (event - vehicle.seenAt).magnitude.milliseconds)
    }
}
