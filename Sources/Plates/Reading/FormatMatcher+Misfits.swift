/// Why characters are no plate of a format: for whoever asks why nothing was read.
extension FormatMatcher {
    package struct Misfit: Sendable, Equatable {
        package var format: PlateFormat
        package var reason: String
    }

    /// What keeps each format of a script from taking the characters; formats that take them are left out. The general ones, which take
    /// anything of their length, say nothing and are left out too.
    package func misfits(_ characters: [CharacterAlternatives], script: PlateFormat.Script) -> [Misfit] {
        formats.filter { $0.script == script && $0.country?.isCovered == true }.compactMap { format in
            reason(format, characters).map { Misfit(format: format, reason: $0) }
        }
    }

    private func reason(_ format: PlateFormat, _ characters: [CharacterAlternatives]) -> String? {
        let lengths = format.lengths
        guard lengths.contains(characters.count) else {
            return "has \(lengths.lowerBound) to \(lengths.upperBound) characters, not \(characters.count)"
        }
        // The layout that goes furthest tells most.
        let stops = format.layouts(length: characters.count).map { layout in
            zip(characters, layout).enumerated().first { _, pair in
                !takes(pair.0, format.slots[pair.1].symbols)
            }?.offset ?? characters.count
        }
        guard let furthest = stops.max() else { return "has no plate of this length" }
        if furthest < characters.count {
            return "character \(furthest + 1) can't be \(characters[furthest].best)"
        }
        return match(characters, script: format.script).contains { $0.format == format }
            ? nil : "no plate begins so, or has no digit in it"
    }

    private func takes(_ character: CharacterAlternatives, _ symbols: PlateFormat.Symbols) -> Bool {
        !options(character, symbols).isEmpty
    }
}
