import Enforcement
import Plates

/// What the reader did with one picture, step by step, and where it gave up: for whoever asks why a plate was not read.
///
/// A reader without one notes nothing and pays nothing. It belongs to the thread of its reader.
package final class ReadingTrace {
    /// What a step is part of, in the order in which a plate goes through them.
    package enum Stage: String, Sendable, CaseIterable, Codable {
        /// A place was seen where a plate may be.
        case detection
        /// What was cut out of the picture there, turned upright.
        case crop
        /// Rows of writing were seen on it.
        case rows
        /// One row was cut out and straightened.
        case row
        /// It was told into ink and ground in one way, and read.
        case line
        /// Its glyphs were read one by one.
        case glyphs
        /// All its readings were voted into one.
        case vote
        /// The rows were put together and laid under the formats.
        case formats
        /// A plate was read.
        case plate
        /// Nothing more was tried here.
        case end
    }

    package struct Step: Sendable {
        package var stage: Stage

        /// Where, in pixels of the picture.
        package var place: Box

        /// What was looked at: `network`, `row 1 of 2`, `global`.
        package var about: String

        /// What came of it.
        package var outcome: String

        /// What the reader saw; nil where there is nothing to show, or pictures are not kept.
        package var picture: GrayImage?

        /// Why it ended here; nil for all but the ends.
        package var reason: Reason?

        /// How high the glyphs of the highest row are, in pixels of the picture; nil for all but rows and plates.
        package var glyphHeight: Double?
    }

    /// Why nothing, or nothing more, was read at a place. Later ones came further.
    package enum Reason: Int, Sendable, Comparable, CaseIterable, Codable {
        /// The network is hardly sure of the place.
        case unlikelyPlace
        /// Enough was read elsewhere in the picture.
        case enoughRead
        /// No row of glyphs was seen on it.
        case noRow
        /// A row that every plate has could not be read.
        case unreadRow
        /// What was read fits no format.
        case noFormat
        /// It is less likely than what is shown.
        case unlikelyPlate
        /// Something else at the same place is likelier.
        case covered

        package static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    /// A picture's lines are bounded, and so are its steps; the bound is far above what they need.
    package static let maximumSteps = 2000

    package private(set) var steps: [Step] = []

    /// Whether pictures are kept: they take some megabytes.
    package let keepsPictures: Bool

    /// How many pixels of the picture are one of those that places are given in from now on.
    var scale = 1

    /// Where everything lies that is noted, while a part of the picture is looked at that was set upright, and how many pixels one of its own
    /// is; nil otherwise.
    var within: (place: Box, pixel: Double)?

    package init(keepsPictures: Bool) {
        self.keepsPictures = keepsPictures
    }

    func note(
        _ stage: Stage, at place: Box, _ about: String, _ outcome: String, _ picture: @autoclosure () -> GrayImage?
    ) {
        guard steps.count < Self.maximumSteps else { return }
        steps.append(
            Step(
                stage: stage, place: (within?.place ?? place).scaled(by: scale), about: about, outcome: outcome,
                picture: keepsPictures ? picture() : nil))
    }

    func note(_ stage: Stage, at place: Box, _ about: String, _ outcome: String) {
        note(stage, at: place, about, outcome, nil)
    }

    /// Notes the height of the glyphs in the rows, or in the plate, that were noted last.
    func note(glyphHeight: Double) {
        guard let last = steps.indices.last, [.rows, .plate].contains(steps[last].stage) else { return }
        steps[last].glyphHeight = glyphHeight * Double(scale) * (within?.pixel ?? 1)
    }

    /// Notes that nothing more is tried at a place.
    func end(_ reason: Reason, at place: Box, _ about: String, _ outcome: String) {
        guard steps.count < Self.maximumSteps else { return }
        steps.append(
            Step(
                stage: .end, place: (within?.place ?? place).scaled(by: scale), about: about, outcome: outcome,
                reason: reason)
        )
    }

    /// How high the glyphs of a reading are, in pixels of the picture: as it was read, else the middle one of what the ways of parting its
    /// place into rows say. Nil where no row was seen.
    package func glyphHeight(of reading: PlateReading) -> Double? {
        let near = steps.filter {
            $0.glyphHeight != nil && $0.place.isSamePlace(as: reading.box)
        }
        let read = near.last { $0.stage == .plate && $0.outcome.hasPrefix(reading.plate.canonical + ",") }
        if let read { return read.glyphHeight }
        let heights = near.compactMap(\.glyphHeight).sorted()
        return heights.isEmpty ? nil : heights[heights.count / 2]
    }

    /// Why nothing was read at a place: what came furthest there. Nil where nothing was seen.
    package func end(at place: Box) -> Step? {
        let near = steps.filter {
            $0.reason != nil && $0.place.isSamePlace(as: place)
        }
        return near.max { ($0.reason ?? .unlikelyPlace) < ($1.reason ?? .unlikelyPlace) }
    }
}
