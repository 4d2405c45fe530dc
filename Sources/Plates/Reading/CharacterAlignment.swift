/// Lays one reading's characters along another's.
enum CharacterAlignment {
    private static let gapCost = 0.7

    /// For every character of `template` the index of the character of `characters` that belongs to it, or nil.
    ///
    /// The least total cost, where a pair costs how little one holds of the other's best symbol (Needleman and Wunsch).
    static func columns(
        of characters: [CharacterAlternatives], along template: [CharacterAlternatives]
    ) -> [Int?] {
        let rows = template.count
        let width = characters.count
        var costs = [[Double]](repeating: [Double](repeating: 0, count: width + 1), count: rows + 1)
        for row in 0...rows { costs[row][0] = Double(row) * gapCost }
        for column in 0...width { costs[0][column] = Double(column) * gapCost }
        if rows == 0 || width == 0 { return [Int?](repeating: nil, count: rows) }
        for row in 1...rows {
            for column in 1...width {
                let pair = costs[row - 1][column - 1] + difference(template[row - 1], characters[column - 1])
                costs[row][column] = min(pair, costs[row - 1][column] + gapCost, costs[row][column - 1] + gapCost)
            }
        }
        var result = [Int?](repeating: nil, count: rows)
        var row = rows
        var column = width
        while row > 0, column > 0 {
            if costs[row][column]
                == costs[row - 1][column - 1] + difference(template[row - 1], characters[column - 1])
            {
                result[row - 1] = column - 1
                row -= 1
                column -= 1
            } else if costs[row][column] == costs[row - 1][column] + gapCost {
                row -= 1
            } else {
                column -= 1
            }
        }
        return result
    }

    private static func difference(_ one: CharacterAlternatives, _ other: CharacterAlternatives) -> Double {
        1 - max(one.probability(of: other.best), other.probability(of: one.best))
    }
}
