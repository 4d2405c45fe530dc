/// Telling a vehicle that passed from a picture that is looked at once more.
extension Passage {
    /// One vehicle can't pass a post twice within this: a picture's time may have lost its milliseconds on the way.
    package static let againWithin = TimeSpan.seconds(1)

    /// Less text than this, two vehicles that pass together may share.
    private static let leastRawText = 4

    /// Whether `other` is this passage once more: the same post, at the same time, with the same plate or, since a plate may have been
    /// corrected, with the same text read of it.
    ///
    /// It happens when a camera's folder still holds pictures that another disk has recorded, and when two cameras of one post see
    /// the same vehicle.
    package func isAgain(_ other: Passage) -> Bool {
        guard checkpostCode == other.checkpostCode, (recordedAt - other.recordedAt).magnitude <= Self.againWithin else {
            return false
        }
        return plate.compact == other.plate.compact
            || (plateRaw.count >= Self.leastRawText && plateRaw == other.plateRaw)
    }
}
