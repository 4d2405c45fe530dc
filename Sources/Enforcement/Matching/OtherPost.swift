/// A vehicle that waits for a ranger's word at a post: it has passed, and has no passage yet. Or anybody who passed unseen.
package struct WaitingSighting: Sendable, Equatable {
    /// When it passed; of a stretch, its end.
    package var seenAt: Instant

    /// What was read, which may be wrong in any character, have gaps, or be empty.
    package var plate: Plate

    /// Who passed from then to `seenAt` is not known, and no ranger will say: a camera was dead, or records are lost. Nil for a vehicle.
    package var unwatchedFrom: Instant?

    package init(seenAt: Instant, plate: Plate, unwatchedFrom: Instant? = nil) {
        self.seenAt = seenAt
        self.plate = plate
        self.unwatchedFrom = unwatchedFrom
    }

    /// A stretch during which anybody may have passed.
    package static func unwatched(from start: Instant, until end: Instant) -> WaitingSighting {
        WaitingSighting(seenAt: end, plate: Plate(canonical: "\(Plate.gap)"), unwatchedFrom: start)
    }

    /// How much of a doubtful reading may be wrong before it is another vehicle's: three characters of nine.
    private static let mostWrong = 0.35

    /// Whether a ranger may find that it is a vehicle with this plate.
    ///
    /// Example: `BA1PA12?4`, `8A1PA1234`, `PA1234` and an empty reading may be BA1PA1234; `UP32AB9876` may not.
    package func mayBe(_ other: Plate) -> Bool {
        let read = plate.compact.filter { $0 != Plate.gap }
        let isMostlyRead = read.count >= 4 && read.count * 2 > plate.compact.count
        // A plate that the picture's edge cut is a part of it.
        guard isMostlyRead, !other.compact.contains(read) else { return true }
        return Resemblance.difference(plate, other) <= Self.mostWrong
    }
}

/// What is known here of the post at the other end of the road.
package struct OtherPost: Sendable, Equatable {
    /// What waits for a ranger there.
    package struct Reviews: Sendable, Equatable {
        /// When that post said so: what it saw later may wait as well.
        package var asOf: Instant
        package var waiting: [WaitingSighting]

        /// What that post saw up to this moment has been sent, or waits: on a quiet road nothing else tells so. Nil when it doesn't say.
        package var completeUpTo: Instant?

        package init(asOf: Instant, waiting: [WaitingSighting], completeUpTo: Instant? = nil) {
            self.asOf = asOf
            self.waiting = waiting
            self.completeUpTo = completeUpTo
        }

        /// A post tells the newest of those that wait, this many. Older ones hold nothing up any more.
        package static let most = 200
    }

    /// Its passages are here up to this moment; nil when none are.
    package var knownUpTo: Instant?

    /// Nil when it doesn't tell.
    package var reviews: Reviews?

    package init(knownUpTo: Instant?, reviews: Reviews?) {
        self.knownUpTo = knownUpTo
        self.reviews = reviews
    }
}
