/// What a box has of the server, by what a person may want fetched anew.
package enum FetchedKind: String, Sendable, CaseIterable {
    /// Who passed at the other post.
    case passages
    /// The road, its posts, limits and settings.
    case road
    /// The plates that the park's office lists.
    case lists
    /// The accounts of the server, with what they sign in with here.
    case accounts
    /// Matches, violations, outcomes and overstay alerts, as the server judges them.
    case findings

    /// What raises or keeps off an alarm stays in force until the server has told it anew. The others go at once.
    package var goesAtOnce: Bool { self == .passages || self == .accounts }

    /// These are in force, and stay wished for, until the server has told them anew; the others are forgotten first.
    package static let held: Set<FetchedKind> = [.road, .lists]
    package static let forgotten = Set(allCases).subtracting(held)
}
