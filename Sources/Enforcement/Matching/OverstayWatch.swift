import Foundation

/// An entry with no exit past the longest lawful time.
package struct OverstayAlert: Sendable, Equatable {
    package var entryClientID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var expectedExitBy: Instant

    /// The vehicle may be gone: a possible exit waits for somebody's word.
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

/// Why an overstay may be none: what it waits for.
package enum OverstayDoubt: Sendable, Equatable {
    /// A passage of the other post looks alike: a ranger judges whether it is the vehicle.
    case looksAlike(Plate, at: Instant)

    /// A vehicle waits for review at the other post that may be it.
    case waitsForReview(at: Instant)

    /// Nobody knows who passed the other post in this time: its camera was dead, or its records are lost.
    case unwatched(from: Instant, until: Instant)

    /// A text tells of the plate at the other post, and its record has not come.
    case toldByText(at: Instant)

    /// The other post doesn't tell what waits for review there.
    case reviewsUnknown
}

/// Decides which entries have stayed too long.
package struct OverstayWatch: Sendable, Equatable {
    package var segment: Segment

    package init(segment: Segment) {
        self.segment = segment
    }

    /// How long past its deadline an alert waits for the other post's ranger: a shift. Then it is raised, as doubtful.
    package static let patience = TimeSpan.hours(12)

    /// A post that has said nothing of its reviews for so long while its passages came has stopped telling.
    private static let longestSilence = TimeSpan.hours(24)

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
    /// Silence from the other post proves nothing, so there is no alert before its passages are here up to the deadline. Nor is
    /// there one while a vehicle waits for review there that passed between entry and deadline and may be the one: but not
    /// for longer than `patience`, since a review that nobody does must not hide a poacher. A time that nobody watched there holds nothing
    /// up, since no review will end it: the alert is doubtful. A vehicle that is known to have left the road here is no entry.
    ///
    /// - Parameter entries: unmatched passages at this post without an alert.
    package func alerts(entries: [OpenEntry], other: OtherPost, now: Instant) -> [OverstayAlert] {
        guard let known = other.knownUpTo else { return [] }
        let reviews = Self.current(other, now: now)
        return entries.compactMap { entry in
            let deadline = entry.passage.recordedAt + longestStay
            guard entry.passage.clockState.isTrusted, entry.passage.mayBeEntry, deadline < now, deadline <= known else {
                return nil
            }
            if let reviews, deadline > reviews.asOf { return nil }
            let (plate, entryTime) = (entry.passage.plate, entry.passage.recordedAt)
            if Self.isHeld(plate, enteredAt: entryTime, expectedBy: deadline, other: other, now: now) { return nil }
            let doubts = Self.doubts(
                plate, enteredAt: entryTime, travel: entry.passage.travel, expectedBy: deadline, other: other, now: now)
            return OverstayAlert(
                entryClientID: entry.passage.clientID, plate: plate, vehicleType: entry.passage.vehicleType,
                entryTime: entryTime, expectedExitBy: deadline,
                isDoubtful: entry.hasPossibleMatch || !doubts.isEmpty)
        }
    }

    /// Whether an entry that is past its time gets its answer only later: it must be asked again.
    package func isUndecided(_ entry: OpenEntry, other: OtherPost, now: Instant) -> Bool {
        let deadline = entry.passage.recordedAt + longestStay
        guard entry.passage.clockState.isTrusted, entry.passage.mayBeEntry, let known = other.knownUpTo,
            deadline < now, deadline <= known
        else { return false }
        if let reviews = Self.current(other, now: now), deadline > reviews.asOf { return true }
        return Self.isHeld(
            entry.passage.plate, enteredAt: entry.passage.recordedAt, expectedBy: deadline, other: other, now: now)
    }

    /// Whether an alert waits for the other post's ranger: a vehicle that passed there in time may be the one.
    package static func isHeld(
        _ plate: Plate, enteredAt entry: Instant, expectedBy deadline: Instant, other: OtherPost, now: Instant
    ) -> Bool {
        guard let reviews = current(other, now: now), reviews.asOf - deadline <= patience else { return false }
        return reviews.waiting.contains {
            $0.unwatchedFrom == nil && $0.seenAt > entry && $0.seenAt <= deadline && $0.mayBe(plate)
        }
    }

    /// Why a vehicle that entered may be gone, as far as the other post's reviews tell; at most a few.
    ///
    /// One whose direction no camera saw may as well have come out here: then its entry is at the other post, within the longest lawful
    /// time before, and may wait there or be lost.
    package static func doubts(
        _ plate: Plate, enteredAt entry: Instant, travel: Travel?, expectedBy deadline: Instant, other: OtherPost,
        now: Instant
    ) -> [OverstayDoubt] {
        // The server may raise an alert of which this box doesn't know enough.
        guard let known = other.knownUpTo, deadline <= known, let reviews = current(other, now: now) else {
            return [.reviewsUnknown]
        }
        let earliest = travel == nil ? entry - (deadline - entry) : entry
        let explaining = reviews.waiting.filter { $0.seenAt > earliest && $0.mayBe(plate) }
        // What a ranger can end comes first.
        return explaining.sorted {
            ($0.unwatchedFrom == nil ? 0 : 1, $0.seenAt) < ($1.unwatchedFrom == nil ? 0 : 1, $1.seenAt)
        }
        .prefix(3).map { waiting in
            waiting.unwatchedFrom.map { .unwatched(from: $0, until: waiting.seenAt) }
                ?? .waitsForReview(at: waiting.seenAt)
        }
    }

    /// What the other post says of its reviews, unless it has stopped saying.
    private static func current(_ other: OtherPost, now: Instant) -> OtherPost.Reviews? {
        guard let reviews = other.reviews else { return nil }
        let isPassedBy = other.knownUpTo.map { $0 > reviews.asOf } ?? false
        return isPassedBy && now - reviews.asOf > longestSilence ? nil : reviews
    }
}
