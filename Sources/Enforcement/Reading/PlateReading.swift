/// What was read in one plate of one frame.
package struct PlateReading: Sendable, Equatable, Codable {
    /// The most likely plate.
    package var plate: Plate

    /// What the reader saw before any format changed it, rows separated by a space.
    package var raw: String

    /// How likely `plate` is right, 0…1.
    package var confidence: Double

    /// Where it is, in pixels of the frame.
    package var box: Box

    /// The name of the `PlateFormat` that it fits.
    package var format: String

    /// The likeliest plates, the best first, at most `maximumCandidates`. The first is `plate`.
    package var candidates: [Candidate]

    /// What every character may be, from left to right and top to bottom.
    package var characters: [CharacterAlternatives]

    /// The ground that it stands on; nil when it wasn't seen in colour, or isn't clear.
    package var colour: PlateColour?

    /// What its place looks like; nil where there was no network to say it, or where a person read.
    package var look: Look?

    /// How high its characters are, in pixels of the frame; nil where no rows were found, or a person read.
    package var glyphHeight: Double?

    /// What it is at most sure for another reason than its glyphs: an edge of the picture cuts it, an end or a glyph may be missing; nil where
    /// there is none.
    package var bound: Double?

    /// Whether its characters are lower than so many pixels; where they weren't measured, whether the place is.
    package func isLower(than pixels: Double) -> Bool { (glyphHeight ?? Double(box.height)) < pixels }

    /// Whether its place looks like a plate's, and not like any writing: only then is it recorded by itself.
    package var looksLikePlate: Bool { look?.isPlate ?? true }

    package static let maximumCandidates = FormatMatcher.maximumResults

    /// A plate that was seen and not read.
    package static func unread(at box: Box, look: Look) -> PlateReading {
        PlateReading(
            plate: Plate(canonical: ""), raw: "", confidence: 0, box: box, format: "", candidates: [], characters: [],
            look: look)
    }

    /// Whether nothing was read: there is only a place.
    package var isUnread: Bool { plate.compact.isEmpty }

    /// What the network that looks for plates says of a place.
    package struct Look: Sendable, Equatable, Codable {
        /// How surely it is a plate's, 0…1: 0 for a row that was found by its glyphs alone.
        package var score: Double

        /// Whether that is enough, by the parameters that belong to the network.
        package var isPlate: Bool

        package init(score: Double, isPlate: Bool) {
            self.score = score
            self.isPlate = isPlate
        }
    }

    package struct Candidate: Sendable, Equatable, Codable {
        package var plate: Plate
        package var confidence: Double

        package init(plate: Plate, confidence: Double) {
            self.plate = plate
            self.confidence = confidence
        }
    }

    package init(
        plate: Plate, raw: String, confidence: Double, box: Box, format: String, candidates: [Candidate],
        characters: [CharacterAlternatives], colour: PlateColour? = nil, look: Look? = nil, glyphHeight: Double? = nil,
        bound: Double? = nil
    ) {
        self.look = look
        self.glyphHeight = glyphHeight
        self.bound = bound
        self.colour = colour
        self.plate = plate
        self.raw = raw
        self.confidence = confidence
        self.box = box
        self.format = format
        self.candidates = candidates
        self.characters = characters
    }
}
