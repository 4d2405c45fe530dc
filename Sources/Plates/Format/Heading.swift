extension PlateFormat {
    /// Words that a plate's first field is painted as: `बागमती प्रदेश` or `प्रदेश ३` for province 3.
    package struct Heading: Sendable, Hashable {
        /// What names the kind of field, in full first, then shortened.
        package var words: [String]

        /// What may stand between such a word and a number: `प्रदेश नं. ३`.
        package var numberWords: [String]

        /// The fields' names, each with the field's canonical Latin.
        package var names: [String: String]

        /// What painters shorten and misspell the names to before a word.
        package var shortNames: [String: String]

        /// Word, name and number stand within this many of the first characters.
        package var maximumCharacters: Int

        package init(
            words: [String], numberWords: [String], names: [String: String], shortNames: [String: String],
            maximumCharacters: Int
        ) {
            self.words = words
            self.numberWords = numberWords
            self.names = names
            self.shortNames = shortNames
            self.maximumCharacters = maximumCharacters
        }

        /// The field that a name stands for, as it is painted before a word.
        package func field(named name: String) -> String? { names[name] ?? shortNames[name] }
    }
}
