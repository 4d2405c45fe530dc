extension PlateFormat.Heading {
    /// The characters of a plate as its format wants them: the field as its number, the word left out. `बागमती प्रदेश ०२` and
    /// `प्रदेश ३ ०२` both begin ३ ०२. Others are left as they are.
    package func removed(from characters: [CharacterAlternatives]) -> [CharacterAlternatives] {
        let start = characters.prefix(maximumCharacters)
        guard let last = start.lastIndex(where: { isWord($0) || isName($0) }) else { return characters }
        let names = start[...last].filter(isName)
        let rest = characters.dropFirst(last + 1)
        // A small row is read as its name twice, or with something between name and word: the name is one character.
        if !names.isEmpty { return [number(.mean(names.map { (1, $0) }))] + rest }
        guard let word = start.firstIndex(where: isWord) else { return characters }
        // What stands before the word is the name as painters shorten it.
        return characters.prefix(word).map(number) + characters.dropFirst(word + 1)
    }

    private func isWord(_ character: CharacterAlternatives) -> Bool { words.contains(character.best) }

    private func isName(_ character: CharacterAlternatives) -> Bool { names[character.best] != nil }

    /// A name's alternatives as the fields' numbers.
    private func number(_ name: CharacterAlternatives) -> CharacterAlternatives {
        CharacterAlternatives(
            name.alternatives.map { alternative in
                .init(
                    symbol: field(named: alternative.symbol).map(DevanagariAlphabet.digits) ?? alternative.symbol,
                    probability: alternative.probability)
            })
    }
}
