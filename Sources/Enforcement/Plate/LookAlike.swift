/// Characters that a camera or a tired eye takes for each other.
package enum LookAlike {
    /// Pairs that look alike in Latin plates, or as the Devanagari letters and digits that they stand for (५ and ४, ६
    /// and ८, १ and ९, २ and ३).
    private static let pairs: Set<String> = {
        let latin = [
            "0O", "0Q", "0D", "OQ", "OD", "1I", "1L", "IL", "2Z", "5S", "6G", "8B", "4A", "7T", "UV", "VY",
            "MN", "EF", "CG", "PR", "KX", "1T", "17", "3B", "HM", "WM",
        ]
        let devanagari = ["45", "68", "19", "15", "23", "09", "59", "07"]
        return Set((latin + devanagari).flatMap { [$0, String($0.reversed())] })
    }()

    package static func areAlike(_ left: Character, _ right: Character) -> Bool {
        left == right || pairs.contains("\(left)\(right)")
    }

    /// Whether two compact plates differ in just one character, and there in one that looks alike.
    package static func areOneApart(_ left: String, _ right: String) -> Bool {
        guard left.count == right.count else { return false }
        let differing = zip(left, right).filter { $0 != $1 }
        return differing.count == 1 && differing.allSatisfy { areAlike($0.0, $0.1) }
    }

    /// `O` and `Q` as 0, `I` as 1: how a plate is compared where its font draws them the same.
    package static func folded(_ compact: String) -> String {
        String(
            compact.map { character in
                switch character {
                case "O", "Q": "0"
                case "I": "1"
                default: character
                }
            })
    }
}
