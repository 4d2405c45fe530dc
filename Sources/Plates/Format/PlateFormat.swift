/// What the plates of one kind look like and tell, as data: every trait of a kind stands in its own file of `Catalogue`.
///
/// A format is a row of slots. Each slot takes a number of symbols out of a set. A symbol is what a reader sees as one
/// thing: a Latin letter, a digit, or one Devanagari syllable.
package struct PlateFormat: Sendable, Hashable {
    /// What may stand in a slot.
    package enum Symbols: Sendable, Hashable {
        case digits
        case letters
        case lettersOrDigits
        /// Only these, each mapped to its canonical Latin.
        case only([String: String])
    }

    package struct Slot: Sendable, Hashable {
        package var symbols: Symbols
        package var count: ClosedRange<Int>

        /// Whether a space stands before it in the canonical form.
        package var startsGroup: Bool

        /// What the slot may spell as a whole: the codes of India's states. Nil when anything may.
        package var words: Set<String>?

        package init(
            _ symbols: Symbols, _ count: ClosedRange<Int>, startsGroup: Bool = true, words: Set<String>? = nil
        ) {
            self.symbols = symbols
            self.count = count
            self.startsGroup = startsGroup
            self.words = words
        }
    }

    package enum Script: String, Sendable, Hashable, Codable {
        case latin
        case devanagari
    }

    /// A plate as it is painted.
    package struct Example: Sendable, Hashable {
        package var painted: String
        package var canonical: String
        package var type: VehicleType?
        package var ground: PlateColour?

        package init(_ painted: String, _ canonical: String, type: VehicleType? = nil, ground: PlateColour? = nil) {
            self.painted = painted
            self.canonical = canonical
            self.type = type
            self.ground = ground
        }
    }

    /// Its name in listings and reports: `np-zonal`.
    package let name: String

    /// Who issues it; nil for the general format.
    package let country: PlateCountry?

    package let script: Script

    /// How many plates of this shape exist beside all others, 0…1: a tight format is evidence by itself, a loose one isn't.
    package let weight: Double

    package let slots: [Slot]

    /// The canonical text before the slots: `P` for the provincial plates.
    package let prefix: String

    /// The words that the first slot is painted as; nil where all of it is painted letter by letter.
    package let heading: Heading?

    /// What one field tells of the kind of vehicle; nil when the plate doesn't say.
    package let vehicleTypes: FieldMeaning<VehicleType>?

    /// The grounds that it is painted on.
    package let grounds: PlateColour.Grounds

    /// Whether its letters and digits alone are no sign of it, since many other plates look the same without their spaces: then
    /// only spaces that somebody typed tell it.
    package let isToldBySpaces: Bool

    /// How many symbols it may have without a digit among them; nil where every plate has a number.
    package let lengthsWithoutDigit: ClosedRange<Int>?

    /// Plates as they are painted, with what must be understood of them. The tests hold the format to them.
    package let examples: [Example]

    package init(
        name: String, country: PlateCountry?, script: Script, weight: Double, prefix: String = "",
        slots: [Slot], heading: Heading? = nil,
        vehicleTypes: FieldMeaning<VehicleType>? = nil, grounds: PlateColour.Grounds = .untold,
        isToldBySpaces: Bool = false, lengthsWithoutDigit: ClosedRange<Int>? = nil, examples: [Example] = []
    ) {
        self.name = name
        self.country = country
        self.script = script
        self.weight = weight
        self.prefix = prefix
        self.slots = slots
        self.heading = heading
        self.vehicleTypes = vehicleTypes
        self.grounds = grounds
        self.isToldBySpaces = isToldBySpaces
        self.lengthsWithoutDigit = lengthsWithoutDigit
        self.examples = examples
    }
}

extension PlateFormat: CustomStringConvertible {
    package var description: String { name }
}

extension PlateFormat {
    /// The numbers of symbols that a plate of this format can have.
    package var lengths: ClosedRange<Int> {
        slots.reduce(0) { $0 + $1.count.lowerBound }...slots.reduce(0) { $0 + $1.count.upperBound }
    }

    /// Every way to give `length` symbols to the slots, as one slot index a symbol.
    ///
    /// Example: zone, 1 to 2 digits, class, 1 to 4 digits gives two ways for five symbols: `0 1 2 3 3` and `0 1 1 2 3`.
    package func layouts(length: Int) -> [[Int]] {
        var found: [[Int]] = []
        func fill(_ slot: Int, _ layout: [Int]) {
            if slot == slots.count {
                if layout.count == length { found.append(layout) }
                return
            }
            for count in slots[slot].count where layout.count + count <= length {
                fill(slot + 1, layout + Array(repeating: slot, count: count))
            }
        }
        fill(0, [])
        return found
    }
}
