import Enforcement

/// Of how many pictures the reader's surest answer was right.
package struct AnswerTally: Encodable, Equatable {
    /// The surest answer is a true plate of the picture, or nothing was said where there is none.
    package var right = 0

    /// Something else was said.
    package var wrong = 0

    /// Nothing was said of a picture with a plate.
    package var silent = 0

    package var count: Int { right + wrong + silent }
    package var share: Share { Share(right: right, count: count) }

    enum CodingKeys: String, CodingKey {
        case right, wrong, silent, count
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(right, forKey: .right)
        try container.encode(wrong, forKey: .wrong)
        try container.encode(silent, forKey: .silent)
        try container.encode(count, forKey: .count)
    }

    /// - Parameter truths: the picture's true plates, folded.
    /// - Returns: whether it is wrong.
    @discardableResult
    mutating func add(_ answer: String?, truths: Set<String>) -> Bool {
        switch answer {
        case nil where truths.isEmpty: right += 1
        case nil: silent += 1
        case let answer? where truths.contains(LookAlike.folded(answer)): right += 1
        default:
            wrong += 1
            return true
        }
        return false
    }
}
