import Enforcement
import Plates

extension DevanagariAlphabet {
    /// A province's name and word stand within the first of a plate's characters.
    private static let mostBeforeOffice = 5

    /// The characters of a provincial plate as its format wants them: the province as its number, the word for province
    /// left out. `बागमती प्रदेश ०२` and `प्रदेश ३ ०२` both begin ३ ०२. Others are left as they are.
    static func withoutProvinceWords(_ characters: [CharacterAlternatives]) -> [CharacterAlternatives] {
        let start = characters.prefix(mostBeforeOffice)
        guard let last = start.lastIndex(where: { isWord($0) || isName($0) }) else { return characters }
        let names = start[...last].filter(isName)
        let rest = characters.dropFirst(last + 1)
        // A small row is read as its name twice, or with something between name and word: the name is one character.
        if !names.isEmpty { return [number(.mean(names.map { (1, $0) }))] + rest }
        guard let word = start.firstIndex(where: isWord) else { return characters }
        // What stands before the word is the name as painters shorten it.
        return characters.prefix(word).map(number) + characters.dropFirst(word + 1)
    }

    private static func isWord(_ character: CharacterAlternatives) -> Bool { provinceWords.contains(character.best) }

    private static func isName(_ character: CharacterAlternatives) -> Bool {
        provinces.contains { $0.name == character.best }
    }

    /// A name's alternatives as the provinces' numbers.
    private static func number(_ name: CharacterAlternatives) -> CharacterAlternatives {
        CharacterAlternatives(
            name.alternatives.map { alternative in
                let number =
                    provinces.first { $0.name == alternative.symbol }?.number
                    ?? provinceAbbreviations[alternative.symbol]
                return .init(
                    symbol: number.map(devanagariDigit) ?? alternative.symbol, probability: alternative.probability)
            })
    }
}
