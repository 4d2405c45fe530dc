import Foundation

/// Which vehicles are on the road between the two posts, and what happens next to each.
///
/// A passage without its other half is a vehicle that came in and has not come out, as far as this box knows. One that is known to have
/// left the road is out, whatever was seen of it before.
package struct InsideNow: Sendable, Equatable {
    package struct Vehicle: Sendable, Equatable {
        package var entry: MatchablePassage

        /// It came in at this post; else at the other one, and comes out here.
        package var isFromHere: Bool

        /// Before this moment it can't come out lawfully.
        package var earliest: Instant

        /// After this moment it has stayed too long.
        package var deadline: Instant

        /// A passage of the other end looks alike, or a text that nobody has proven tells of it: it may be out.
        package var mayBeOut: Bool

        /// The clock that its time is from can't be believed: it makes no violation by itself.
        package var isTimeDoubtful: Bool { !entry.clockState.isTrusted }
    }

    /// Those whose time is not over, the one to which something happens first at the top: its earliest lawful exit, then its deadline.
    package var expected: [Vehicle]

    /// Those past their deadline, the last to pass it at the top.
    package var overdue: [Vehicle]

    /// An entry is looked for so far back; what stays longer is an overstay, and in that list.
    package static let window = TimeSpan.hours(24)

    /// - Parameters:
    ///   - own: passages of this post without a match.
    ///   - remote: passages of the other post without a match.
    ///   - mayBeOut: the entries that a possible match waits for.
    ///   - dismissed: the entries of which a ranger has said that they need no more looking for.
    package init(
        own: [MatchablePassage], remote: [MatchablePassage], on segment: Segment, mayBeOut: Set<UUID>,
        dismissed: Set<UUID>, now: Instant
    ) {
        var latest: [Plate: Vehicle] = [:]
        // What nobody has proven comes last: it hides no vehicle, but it may be out.
        let (texts, records) = (remote.filter(\.isUnprovenText), remote.filter { !$0.isUnprovenText })
        for (passages, isFromHere) in [(own, true), (records, false), (texts, false)] {
            for entry in passages where entry.recordedAt <= now {
                if entry.isUnprovenText, let known = latest[entry.plate], !known.entry.isUnprovenText {
                    if entry.recordedAt > known.entry.recordedAt { latest[entry.plate]?.mayBeOut = true }
                    continue
                }
                // One vehicle is in one place: where it was seen last.
                if let known = latest[entry.plate], known.entry.recordedAt >= entry.recordedAt { continue }
                latest[entry.plate] = Vehicle(
                    entry: entry, isFromHere: isFromHere,
                    earliest: segment.earliestLawfulExit(of: entry.vehicleType, from: entry.recordedAt),
                    deadline: entry.recordedAt + segment.longestTravelTime,
                    mayBeOut: mayBeOut.contains(entry.clientID))
            }
        }
        let vehicles = latest.values.filter { $0.entry.mayBeEntry && !dismissed.contains($0.entry.clientID) }
        func isBefore(_ left: (at: Instant, Vehicle), _ right: (at: Instant, Vehicle)) -> Bool {
            (left.at, left.1.entry.plate.compact) < (right.at, right.1.entry.plate.compact)
        }
        expected = vehicles.filter { $0.deadline >= now }.map { ($0.earliest > now ? $0.earliest : $0.deadline, $0) }
            .sorted(by: isBefore).map(\.1)
        overdue = vehicles.filter { $0.deadline < now }.map { ($0.deadline, $0) }.sorted(by: isBefore).map(\.1)
            .reversed()
    }
}
