import Foundation

/// An entry with no exit past the longest lawful time.
package struct OverstayAlert: Sendable, Equatable {
    package var entryClientID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var expectedExitBy: Instant

    /// A plate that looks alike came out: the vehicle may be gone.
    package var isDoubtful: Bool

    package init(
        entryClientID: UUID, plate: Plate, vehicleType: VehicleType, entryTime: Instant, expectedExitBy: Instant,
        isDoubtful: Bool
    ) {
        self.entryClientID = entryClientID
        self.plate = plate
        self.vehicleType = vehicleType
        self.entryTime = entryTime
        self.expectedExitBy = expectedExitBy
        self.isDoubtful = isDoubtful
    }
}

/// Decides which entries have stayed too long.
package struct OverstayWatch: Sendable, Equatable {
    package var segment: Segment

    package init(segment: Segment) {
        self.segment = segment
    }

    /// An unmatched passage that could have been an entry.
    package struct OpenEntry: Sendable, Equatable {
        package var passage: MatchablePassage
        package var hasPossibleMatch: Bool

        package init(passage: MatchablePassage, hasPossibleMatch: Bool) {
            self.passage = passage
            self.hasPossibleMatch = hasPossibleMatch
        }
    }

    /// The longest lawful time after an entry.
    package var longestStay: TimeSpan { segment.longestTravelTime }

    /// Entries recorded before this are due to be judged; later ones are not.
    ///
    /// - Parameter known: as in `alerts`.
    package func dueBefore(otherPostKnownUpTo known: Instant, now: Instant) -> Instant {
        // At its deadline to the millisecond a vehicle is in time; the other post's silence must reach as far.
        min(known + .milliseconds(1), now) - longestStay
    }

    /// The alerts to raise now.
    ///
    /// - Parameters:
    ///   - entries: unmatched passages at this post without an alert.
    ///   - otherPostKnownUpTo: the other post's records are here up to this time; nil when none are. Silence from the
    ///     other post proves nothing, so there is no alert before its records reach the deadline.
    package func alerts(
        entries: [OpenEntry], otherPostKnownUpTo: Instant?, now: Instant
    ) -> [OverstayAlert] {
        guard let known = otherPostKnownUpTo else { return [] }
        return entries.compactMap { entry in
            let deadline = entry.passage.recordedAt + longestStay
            guard entry.passage.clockState.isTrusted, deadline < now, deadline <= known else { return nil }
            return OverstayAlert(
                entryClientID: entry.passage.clientID, plate: entry.passage.plate,
                vehicleType: entry.passage.vehicleType, entryTime: entry.passage.recordedAt, expectedExitBy: deadline,
                isDoubtful: entry.hasPossibleMatch)
        }
    }
}
