import Enforcement
import Storage

/// What a replay came to.
package struct ReplaySummary {
    package struct Frames: Encodable {
        package let total: Int
        package let unreadable: Int
        package let still: Int
        package let seconds: Double
    }

    package let frames: Frames
    package let passages: [StoredPassage]
    package let violations: [StoredViolation]
    package let reviews: [StoredSighting]
    package let alerts: [StoredOverstayAlert]

    /// How it did against the vehicles that are known to have passed; nil where nobody said which.
    package var score: TrackScore?

    /// What was recorded and what waits, of all posts.
    let seen: [SeenVehicle]

    /// Measures the replay.
    package mutating func score(against vehicles: [TrueVehicle]) { score = TrackScore(vehicles, seen: seen) }
}
