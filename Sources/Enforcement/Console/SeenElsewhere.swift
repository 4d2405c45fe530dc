/// Finds which vehicles of the other post a doubtful reading may be: what was read well there helps to judge what was read badly here.
package enum SeenElsewhere {
    /// More would be a list to search and no hint.
    package static let most = 2

    /// Vehicles are looked for so far back: longer than any lawful way through the park.
    package static let span = TimeSpan.hours(24)

    /// The passages without a match whose plate is the reading's, or looks like it; the nearest in time first.
    ///
    /// - Parameter passages: those of the other post that have found no match.
    package static func vehicles(
        for reading: PlateReading, seenAt moment: Instant, among passages: [MatchablePassage]
    ) -> [MatchablePassage] {
        guard !reading.plate.compact.isEmpty else { return [] }
        let mayBe = [reading.plate] + reading.candidates.map(\.plate)
        func distance(_ passage: MatchablePassage) -> TimeSpan { (passage.recordedAt - moment).magnitude }
        return Array(
            passages.filter { passage in
                distance(passage) <= span
                    && (mayBe.contains(passage.plate) || LookAlike.mayBeSame(reading.plate, passage.plate))
            }
            .sorted { (distance($0), $0.clientID.uuidString) < (distance($1), $1.clientID.uuidString) }
            .prefix(most))
    }
}
