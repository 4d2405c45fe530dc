/// Telling a vehicle that passed from a picture that is looked at once more.
extension Passage {
    /// One vehicle can't pass a post twice within this: a picture's time may have lost its milliseconds on the way.
    package static let againWithin = TimeSpan.seconds(1)

    /// Nor with the same plate within this: one picture of it may have been read on another disk than the next.
    package static let samePlateWithin = TimeSpan.seconds(5)

    /// Less text than this, two vehicles that pass together may share.
    private static let leastRawText = 4

    /// Whether `other` is this passage once more: the same post, at the same time, with the same plate or, since a plate may have been
    /// corrected, with the same text read of it.
    ///
    /// It happens when a camera's folder still holds pictures that another disk has recorded, and when two cameras of one post see
    /// the same vehicle.
    package func isAgain(_ other: Passage) -> Bool {
        let apart = (recordedAt - other.recordedAt).magnitude
        guard checkpostCode == other.checkpostCode, apart <= Self.samePlateWithin else { return false }
        if plate.compact == other.plate.compact, !plate.isPartial || apart <= Self.againWithin { return true }
        return apart <= Self.againWithin && plateRaw.count >= Self.leastRawText && plateRaw == other.plateRaw
    }
}
