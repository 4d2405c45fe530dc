/// Characters that a camera or a tired eye takes for each other.
package enum LookAlike {
    /// Pairs that look alike in Latin plates, or as the Devanagari letters and digits that they stand for.
    private static let pairs = Set(
        (LatinAlphabet.alike + DevanagariAlphabet.alikeDigits).flatMap { [$0, String($0.reversed())] })

    package static func areAlike(_ left: Character, _ right: Character) -> Bool {
        left == right || pairs.contains("\(left)\(right)")
    }

    /// Whether two compact plates differ in just one character, and there in one that looks alike.
    package static func areOneApart(_ left: String, _ right: String) -> Bool {
        guard left.count == right.count else { return false }
        let differing = zip(left, right).filter { $0 != $1 }
        return differing.count == 1 && differing.allSatisfy { areAlike($0.0, $0.1) }
    }

    private static let syllables = Set(
        DevanagariAlphabet.alikeSyllables.flatMap { ["\($0) \($1)", "\($1) \($0)"] })

    /// The formats whose fields are syllables.
    private static let syllabic = PlateFormat.covered.filter { $0.script == .devanagari }

    /// Whether two plates may be one that was misread: one character or syllable apart and alike there, or equal but for
    /// what could not be read.
    package static func mayBeSame(_ left: Plate, _ right: Plate) -> Bool {
        if left.isPartial || right.isPartial { return agreeAroundGaps(Array(left.compact), Array(right.compact)) }
        return areOneApart(left.compact, right.compact) || areOneSyllableApart(left.compact, right.compact)
    }

    private static func areOneSyllableApart(_ left: String, _ right: String) -> Bool {
        syllabic.contains { format in
            guard let one = format.fields(compactLatin: left), let other = format.fields(compactLatin: right) else {
                return false
            }
            let differing = zip(one, other).filter { $0 != $1 }
            return differing.count == 1 && syllables.contains("\(differing[0].0) \(differing[0].1)")
        }
    }

    /// All compact plates without gaps that `mayBeSame` takes for this one, so that they can be looked up instead of compared with
    /// every plate there is.
    ///
    /// Example: `BA1PA1234` has about 40, among them `8A1PA1234` and `BA1PHA1234`. A plate with gaps has none: what it may be can't
    /// be listed.
    package static func variants(of plate: Plate) -> Set<String> {
        guard !plate.isPartial else { return [] }
        var variants = Set<String>()
        let characters = Array(plate.compact)
        for (index, character) in characters.enumerated() {
            for other in alike[character] ?? [] {
                var changed = characters
                changed[index] = other
                variants.insert(String(changed))
            }
        }
        for format in syllabic {
            guard let fields = format.fields(compactLatin: plate.compact) else { continue }
            for (index, field) in fields.enumerated() {
                for other in alikeSyllables[field] ?? [] {
                    var changed = fields
                    changed[index] = other
                    variants.insert(format.prefix + changed.joined())
                }
            }
        }
        return variants.filter { mayBeSame(Plate(canonical: $0), plate) }
    }

    /// Each character of a pair with those that look like it.
    private static let alike: [Character: [Character]] = pairs.reduce(into: [:]) { alike, pair in
        if let first = pair.first, let last = pair.last { alike[first, default: []].append(last) }
    }

    private static let alikeSyllables: [String: [String]] = syllables.reduce(into: [:]) { alike, pair in
        let both = pair.split(separator: " ").map(String.init)
        alike[both[0], default: []].append(both[1])
    }

    private struct Step: Equatable {
        var left: Int
        var right: Int
    }

    /// A gap stands for one to three Latin characters, as a syllable does; at least half must have been read in both.
    private static func agreeAroundGaps(_ left: [Character], _ right: [Character]) -> Bool {
        for text in [left, right] where text.count > 20 || 2 * text.count(where: { $0 == Plate.gap }) > text.count {
            return false
        }
        // How much of the left is read with how much of the right. Each step is taken once, however many gaps there are.
        var steps = [Step(left: 0, right: 0)]
        var at = 0
        while at < steps.count {
            let (i, j) = (steps[at].left, steps[at].right)
            at += 1
            if i == left.count, j == right.count { return true }
            guard i < left.count, j < right.count else { continue }
            var next: [Step] = []
            if left[i] == right[j], left[i] != Plate.gap { next.append(Step(left: i + 1, right: j + 1)) }
            for taken in 1...3 {
                if left[i] == Plate.gap, j + taken <= right.count { next.append(Step(left: i + 1, right: j + taken)) }
                if right[j] == Plate.gap, i + taken <= left.count { next.append(Step(left: i + taken, right: j + 1)) }
            }
            steps += next.filter { !steps.contains($0) }
        }
        return false
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
