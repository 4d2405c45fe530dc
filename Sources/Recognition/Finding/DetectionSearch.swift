import Enforcement

/// Looks for rows of glyphs at the places that the network shows.
struct DetectionSearch {
    /// A place is looked at with this part of its size around it on each side: the network's sides are rough.
    private static let margin = (x: 0.12, y: 0.25)

    /// … and so many pixels more, for places that are small themselves.
    private static let least = 2

    /// A smaller area, in pixels, has no row of glyphs.
    private static let leastArea = (width: 12, height: 8)

    /// At most this many candidates of a place are given: the plate's rows alone and together.
    private static let maximumCandidates = 3

    private var finder: PlateFinder

    /// Gives more candidates, for a wider search.
    private var rowFinder = PlateFinder()

    init() {
        var options = PlateFinder.Options()
        options.maximumCandidates = Self.maximumCandidates
        finder = PlateFinder(options: options)
    }

    /// - Parameter detection: a plate's box, in pixels of `image`.
    /// - Returns: rows on the plate, the likeliest first.
    mutating func candidates(in detection: Box, of image: GrayImage) -> [PlateCandidate] {
        let area = detection.grown(
            byX: Self.least + Int(Double(detection.width) * Self.margin.x),
            byY: Self.least + Int(Double(detection.height) * Self.margin.y),
            within: image.width, image.height)
        guard area.width >= Self.leastArea.width, area.height >= Self.leastArea.height else { return [] }
        return finder.find(in: image.cropped(to: area)).map { $0.moved(byX: area.x, y: area.y) }.filter {
            $0.isOn(detection)
        }.map { $0.placed(on: detection) }
    }

    /// - Parameter share: how far beyond the plate's box, as a part of its size.
    /// - Returns: all rows on and around the plate, the likeliest first.
    mutating func rows(around detection: Box, reaching share: Double, of image: GrayImage) -> [PlateCandidate] {
        let area = detection.grown(
            byX: Int(share * Double(detection.width)), byY: Int(share * Double(detection.height)), within: image.width,
            image.height)
        guard area.width >= Self.leastArea.width, area.height >= Self.leastArea.height else { return [] }
        return rowFinder.find(in: image.cropped(to: area)).map { $0.moved(byX: area.x, y: area.y) }
    }
}

extension PlateCandidate {
    /// The candidate in the picture of which a part was looked at.
    func moved(byX x: Int, y: Int) -> PlateCandidate {
        var copy = self
        copy.rows = rows.map { row in
            GlyphChain(
                glyphs: row.glyphs.map { Box(x: $0.x + x, y: $0.y + y, width: $0.width, height: $0.height) },
                polarity: row.polarity, score: row.score)
        }
        return copy
    }

    /// The candidate as that of a plate whose box is known.
    func placed(on detection: Box) -> PlateCandidate {
        var copy = self
        copy.place = detection
        for index in copy.rows.indices {
            // The network's sides are rough: what the finder saw of the row lies within the plate.
            let seen = copy.rows[index].box
            copy.rows[index].sides = min(detection.x, seen.x - 2)..<max(detection.right, seen.right + 2)
        }
        return copy
    }

    /// Whether half of the rows lies on a plate's box.
    func isOn(_ detection: Box) -> Bool {
        let glyphs = rows.dropFirst().reduce(rows[0].box) { $0.union($1.box) }
        return 2 * glyphs.intersection(detection).area >= glyphs.area
    }
}

extension GlyphChain {
    /// The glyphs whose middles stand on a plate's box: what is left and right of it is a piece of the frame, a seal or a lamp.
    ///
    /// - Returns: all where no place is known, or where none stands on it.
    func glyphs(on place: Box?) -> Range<Int> {
        guard let place,
            let first = glyphs.firstIndex(where: { $0.centerX >= Double(place.x) && $0.centerX <= Double(place.right) }
            ),
            let last = glyphs.lastIndex(where: { $0.centerX >= Double(place.x) && $0.centerX <= Double(place.right) })
        else { return glyphs.indices }
        return first..<last + 1
    }
}
