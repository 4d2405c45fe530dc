/// What a ranger does with vehicles that wait, beyond typing their plates.
extension WatchScreen {
    /// A vehicle that the camera has recorded is not recorded twice: y confirms the passage, t types another plate.
    mutating func handleRecorded(_ key: Key, _ review: Review, _ passage: Review.Recorded) -> [Request] {
        switch key {
        case .character("y"):
            go(.passages)
            return [.confirm(id: review.id, passage: passage.id)]
        case .character("t"), .enter: go(.plate(id: review.id), typed: review.plate)
        case .escape: go(.passages)
        default: break
        }
        return []
    }

    /// Takes the last discard back.
    mutating func takeBack() -> [Request] {
        guard let id = lastDiscarded else {
            message = texts["nothing_discarded"]
            return []
        }
        lastDiscarded = nil
        return [.restore(id: id)]
    }
}
