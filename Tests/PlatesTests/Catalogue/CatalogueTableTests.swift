import Testing

@testable import Plates

/// The catalogue and the alphabets as tables: a weight or a shape that is changed changes what is read, so it is changed here, too.
@Suite("The catalogue's table", .timeLimit(.minutes(5)))
struct CatalogueTableTests {
    /// `np-zonal devanagari 1.0 | 14×1 0×1-2 15×1 0×1-4`: name, script, weight, then each slot. A slot is a kind and how often it
    /// stands there: A a letter, 0 a digit, * either, a number so many certain symbols. A slot in the middle of a group begins with +.
    private func line(_ format: PlateFormat) -> String {
        let slots = format.slots.map { slot in
            let kind =
                switch slot.symbols {
                case .letters: "A"
                case .digits: "0"
                case .lettersOrDigits: "*"
                case .only(let symbols): "\(Set(symbols.values).count)"
                }
            let (least, most) = (slot.count.lowerBound, slot.count.upperBound)
            let words = slot.words.map { " of \($0.count)" } ?? ""
            return (slot.startsGroup ? "" : "+") + kind + (least == most ? "×\(least)" : "×\(least)-\(most)") + words
        }
        return "\(format.name) \(format.script) \(format.weight) | \(slots.joined(separator: ", "))"
    }

    @Test func `says what each format looks like and how common it is`() {
        let expected = """
            np-zonal devanagari 1.0 | 14×1, 0×1-2, 16×1, 0×1-4
            np-provincial devanagari 1.0 | +7×1, 0×2, 0×3, 16×1, 0×1-4
            np-embossed latin 0.8 | 11×1, A×2, 0×1-4
            np-zonal-latin latin 0.85 | A×1-3 of 14, 0×1-2 of 99, A×2-3 of 16, 0×1-4
            in latin 0.9 | A×2 of 40, 0×1-2, A×1-3, 0×4
            in-bharat latin 0.85 | 0×2 of 29, 1×1, +1×1, 0×4, A×1-2 of 600
            in-trade latin 0.85 | A×2 of 40, 0×1-2, 9×1, 0×4, 1×1, +1×1, 0×4
            in-trade-old latin 0.7 | A×2 of 40, 0×2, 1×1, +1×1, +24×1, 0×1-3, 16×1
            in-consular latin 0.7 | 0×2 of 9, 1×1, +1×1, 0×1, +24×1, 0×4
            bt latin 0.9 | A×2 of 3, 4×1, A×1, 0×4
            bt-old latin 0.65 | A×2 of 3, 4×1, 0×4
            bt-police latin 0.75 | A×3 of 1, 0×4
            br AAA 0000 latin 0.8 | A×3, 0×4
            br AAA 0A00 latin 0.75 | A×3, 0×1, +A×1, +0×2
            gb AA00 AAA latin 0.75 | A×2, +0×2, A×3
            eu AA 000 AA latin 0.8 | A×2, 0×3, A×2
            hr AA 0000 AA latin 0.7 | A×2, 0×4, A×2
            es 0000 AAA latin 0.75 | 0×4, A×3
            eu AAA 000 latin 0.75 | A×3, 0×3
            us 000 AAA latin 0.7 | 0×3, A×3
            us 0AAA 000 latin 0.75 | 0×1, +A×3, 0×3
            us AA0 A0A latin 0.7 | A×2, +0×1, A×1, +0×1, +A×1
            us AAA A00 latin 0.65 | A×3, A×1, +0×2
            us A00 AAA latin 0.65 | A×1, +0×2, A×3
            us 0AA 0000 latin 0.65 | 0×1, +A×2, 0×4
            us A00 0000 latin 0.6 | A×1, +0×2, 0×4
            us 0AA 000 latin 0.65 | 0×1, +A×2, 0×3
            eu AA 00000 latin 0.7 | A×2, 0×5
            pl AAA 00000 latin 0.6 | A×3, 0×5
            ro AA 00 AAA latin 0.7 | A×2, 0×2, A×3
            cz 0A0 0000 latin 0.7 | 0×1, +A×1, +0×1, 0×4
            nl 00 AAA 0 latin 0.65 | 0×2, A×3, 0×1
            nl AA 00 AA latin 0.65 | A×2, 0×2, A×2
            nl 00 AA AA latin 0.65 | 0×2, A×2, A×2
            be 0 AAA 000 latin 0.7 | 0×1, A×3, 0×3
            de latin 0.5 | A×2-5, 0×2-4
            latin latin 0.4 | *×4-9
            """
        #expect(PlateFormat.all.map(line).joined(separator: "\n") == expected)
        #expect(PlateFormat.generalLatin.lengthsWithoutDigit == 5...7)
        #expect(PlateFormat.all.filter(\.isToldBySpaces).map(\.name) == ["np-embossed"])
        #expect(PlateFormat.all.filter(\.isTight).count == PlateFormat.all.count - 2)
        #expect(PlateFormat.all.compactMap(\.heading).map(\.maximumCharacters) == [5])
        #expect(Set(PlateFormat.nepalZonalLatin.slots[1].words ?? []) == Set((1...99).map { "\($0)" }))
    }

    @Test func `says which symbols are drawn alike, and how often one is meant where the other was read`() {
        let table = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".compactMap { symbol -> String? in
            let others = LatinAlphabet.substitutes(String(symbol)).map { "\($0.0) \($0.1)" }
            return others.isEmpty ? nil : "\(symbol): \(others.joined(separator: ", "))"
        }
        let expected = """
            A: 4 0.1
            B: 8 0.2
            D: 0 0.5, O 0.4
            G: 6 0.2
            I: 1 0.95, T 0.1
            L: 1 0.2
            O: 0 0.95, Q 0.3, D 0.2
            Q: 0 0.7, O 0.7
            S: 5 0.2
            T: 7 0.2, 1 0.1
            Z: 2 0.2, 7 0.2
            0: O 0.95, D 0.2, Q 0.2
            1: I 0.95, T 0.1
            2: Z 0.2
            4: A 0.1
            5: S 0.2
            6: G 0.2
            7: T 0.2
            8: B 0.2
            """
        #expect(table.joined(separator: "\n") == expected)
    }

    @Test(arguments: [
        ("०", true), ("९", true), ("क", true), ("\u{0900}", true), ("\u{097F}", true), ("\u{08FF}", false),
        ("\u{0980}", false), ("A", false),
    ])
    func `knows the block of Devanagari to its ends`(character: String, isDevanagari: Bool) throws {
        let scalar = try #require(character.unicodeScalars.first)
        #expect(DevanagariAlphabet.isDevanagari(scalar) == isDevanagari)
    }

    @Test func `knows the digits of Devanagari to their ends`() {
        func digit(_ value: UInt32) -> Int? { Unicode.Scalar(value).flatMap(DevanagariAlphabet.digit) }
        #expect((0x0966...0x096F).map(digit) == (0...9).map { $0 })
        #expect(digit(0x0965) == nil && digit(0x0970) == nil)
        #expect((0...9).map(DevanagariAlphabet.devanagariDigit).joined() == "०१२३४५६७८९")
        #expect(DevanagariAlphabet.digits("13x") == "१३")
    }

    @Test(arguments: [
        (PlateFormat.Symbols.digits, "09", "/:A"), (.letters, "AZ", "@[a0"), (.lettersOrDigits, "AZ09", "/:@["),
    ])
    func `lets a slot take its characters to their ends`(symbols: PlateFormat.Symbols, taken: String, refused: String) {
        for character in taken { #expect(symbols.allows(character), "\(character)") }
        for character in refused { #expect(!symbols.allows(character), "\(character)") }
    }

    @Test func `takes a slot's symbol for its canonical Latin, and no two at once`() {
        #expect(PlateFormat.Symbols.digits.canonical("५") == "5")
        #expect(PlateFormat.Symbols.digits.canonical("55") == nil)
        #expect(PlateFormat.Symbols.letters.canonical("") == nil)
        #expect(NepalClassLetter.symbols.canonical("पा") == "PA")
        #expect(NepalClassLetter.symbols.canonical("अ") == nil)
    }

    @Test func `lays a plate's symbols over the slots in every way there is`() {
        #expect(PlateFormat.nepalZonal.lengths == 4...8)
        #expect(PlateFormat.nepalZonal.layouts(length: 5) == [[0, 1, 2, 3, 3], [0, 1, 1, 2, 3]])
        #expect(PlateFormat.nepalZonal.layouts(length: 8) == [[0, 1, 1, 2, 3, 3, 3, 3]])
        #expect(PlateFormat.nepalZonal.layouts(length: 9).isEmpty)
    }
}
