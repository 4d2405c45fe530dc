/// A vehicle's plate that was seen in frames and read in none.
///
/// A vehicle that leaves no trace would be the worst answer: seen well in several frames, it goes to a ranger with the picture that
/// shows the plate largest. What never moves is a poster or a parked vehicle's grille, and what always stands beside a plate that is
/// read belongs to that vehicle.
struct UnreadPlate: Sendable, Equatable, Codable {
    /// Fewer frames than this are a mistake of the network's.
    private static let leastFrames = 3

    /// Where it was seen largest.
    private(set) var largest: PlateReading
    private(set) var frames = 1

    /// Frames in which a plate of the country stood beside it.
    var framesBesidePlate = 0

    init(_ reading: PlateReading) { largest = reading }

    /// - Returns: whether it is larger than before.
    mutating func add(_ reading: PlateReading) -> Bool {
        frames = min(frames + 1, Int(Int32.max))
        guard reading.box.area > largest.box.area else { return false }
        largest = reading
        return true
    }

    /// - Parameter isApart: whether it was seen to be another vehicle's than the plates beside it.
    func isWorthReview(hasMoved: Bool, isApart: Bool) -> Bool {
        hasMoved && frames - (isApart ? 0 : framesBesidePlate) >= Self.leastFrames
    }
}
