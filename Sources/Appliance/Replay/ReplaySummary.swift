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
}
