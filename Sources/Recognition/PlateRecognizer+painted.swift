import Enforcement
import Plates

/// Painted plates: they are looked for by their colour, and read in Devanagari.
extension PlateRecognizer {
    /// At most this many coloured places are read: a bound on the time.
    private static let maximumPlaces = 4

    /// A patch and a detection that share more than this of their area together are one place: a detection has the plate's border, a patch
    /// may not.
    static let samePlace = 0.4

    /// The likeliest rows of a coloured place that are read: rows are told in three ways, which mostly agree.
    private static let maximumRows = 2

    /// As many candidates of a place are completed with rows above theirs: they mostly show the same rows.
    private static let maximumFinished = 4

    /// Of a plate whose rows slope by more than this (14 degrees) the box tells little.
    static let far = 0.25

    /// Rows of a lower plate, in pixels of the picture that it is read in, are not parted by bands: they read no better, and cost time.
    private static let leastBands = 60

    /// A detection's sides are known so roughly, in stored pixels.
    private static let spanStep = 8

    /// Where something was read in Latin well enough not to be tried in Devanagari, in stored pixels.
    func latinPlaces(_ found: [Found], _ reduction: Int) -> [Box] {
        let readings = found.map(\.reading).filter {
            $0.confidence >= parameters.painted.latinConfidence && PlateFormat.named($0.format)?.script == .latin
        }.map(\.box)
        let rows = reader.rows.filter { key, row in
            key.script == .latin && row.isLong && row.sureness >= parameters.choice.latinSureness
        }.map(\.key.box)
        return (readings + rows).map { $0.scaled(by: reduction) }
    }

    /// Reads patches of a plate's colour, and places with light writing that the network shows, as painted plates.
    ///
    /// - Parameters:
    ///   - reduction: of the decoded picture, in whose pixels the readings' boxes are.
    ///   - latin: where Latin was read: those places are left out.
    ///   - tried: places that were read so already.
    func readPainted(
        _ reduction: Int, patches: [ColourPlateFinder.Place], detections: [PlateDetection], _ grounds: Grounds,
        besides latin: [Box] = [], tried: [PlateDetection] = []
    ) -> [Found] {
        // Half of the place: a Latin row fills its plate.
        func isLatin(_ place: Box) -> Bool { latin.contains { 2 * $0.intersection(place).area > $0.area } }
        let leastShare = parameters.painted.leastShare
        let best = (patches.map { rank(of: $0.box, detections) } + detections.map(\.score)).max() ?? 0
        let likely = patches.map { (place: $0, ground: Optional($0.colour.ground), rank: rank(of: $0.box, detections)) }
            .filter {
                !isLatin($0.place.box)
                    && ($0.rank >= leastShare * best || $0.place.score >= parameters.painted.clearOutline)
            }
        let bare = detections.filter { detection in
            detection.score >= max(cascade.readableScore, leastShare * best) && !isLatin(detection.box)
        }
        guard !likely.isEmpty || !bare.isEmpty, let map = grounds.map, let colours = grounds.picture else { return [] }
        reader.startColours()
        // A patch has the plate's outline, a detection its box alone. White patches on a dark detection are its writing or its border.
        let light = bare.filter { colours.isDark($0.box) || map.isPainted($0.box) }
        let painted = likely.filter { patch in
            patch.place.colour != .white || !light.contains { $0.box.overlap(patch.place.box) > Self.samePlace }
        }
        let shown = light.filter { detection in
            !tried.contains(detection) && !painted.contains { $0.place.box.overlap(detection.box) > Self.samePlace }
        }.map(Self.painted)
        let places = painted + shown.map { (place: $0, ground: grounds.ground(in: $0.box), rank: $0.score) }
        var found: [Found] = []
        for (place, ground, rank) in places.sorted(by: { $0.rank > $1.rank }).prefix(Self.maximumPlaces) {
            if rank < cascade.secondSpotScore,
                found.contains(where: { $0.reading.confidence >= cascade.enoughConfidence })
            {
                break
            }
            found += read(place, on: ground, in: colours, reduction)
        }
        return found
    }

    /// Whether a place was read well enough as a painted plate.
    func isRead(_ detection: PlateDetection, _ found: [Found], _ reduction: Int) -> Bool {
        found.contains {
            $0.reading.confidence >= cascade.enoughConfidence
                && $0.reading.box.scaled(by: reduction).overlap(detection.box) > Self.samePlace
        }
    }

    private func read(
        _ place: ColourPlateFinder.Place, on ground: PlateColour?, in colours: ColourPicture, _ reduction: Int
    ) -> [Found] {
        let image = place.colour == .yellow ? colours.warm : colours.least
        let region = place.box.divided(by: colours.reduction)
        trace?.scale = colours.reduction
        trace?.note(
            .crop, at: region, "\(place.colour)", ground.map { "on \($0.rawValue)" } ?? "on no clear ground",
            image.clipped(to: region))
        let polarity: GlyphChain.Polarity = place.colour.hasDarkWriting ? .darkOnLight : .lightOnDark
        func isInside(_ x: Int, _ y: Int) -> Bool {
            let row = (y * colours.reduction - place.box.y) / place.step
            return place.spans.indices.contains(row) && place.spans[row].contains(x * colours.reduction)
        }
        var views: [PaintedView] = []
        if let slope = turn.slope(in: region, of: image, polarity: polarity) {
            let shapes: [UprightPlate.Shape] = abs(slope) >= Self.far ? [.ofBox, .usual] : [.ofBox]
            views = shapes.map { shape in
                let upright = UprightPlate(region, of: image, slope: slope, shape: shape)
                trace?.note(
                    .crop, at: region, "upright", "turned by a slope of \(ReadingTrace.figure(slope))", upright.image)
                return PaintedView(
                    image: upright.image, region: upright.box,
                    isInside: {
                        let point = upright.inPicture($0, $1)
                        return isInside(Int(point.x), Int(point.y))
                    }, isCut: region.x <= 1 || region.right >= image.width - 1, pixel: upright.pixel)
            }
        }
        let upright = views.last
        let level = PaintedView(image: image, region: region, isInside: isInside, isCut: nil, pixel: 1)
        views.append(level)
        reader.startPlace()
        var found: [Found] = []
        // Rows are told by their parts first, and by the lines between them where that reads nothing: on the view that lies level.
        let bands = region.height >= Self.leastBands ? [(upright ?? level, true)] : []
        for (view, byBands) in views.map({ ($0, false) }) + bands {
            if view.isCut != nil { trace?.within = (region, view.pixel) }
            let candidates = rowFinder.candidates(
                in: view.region, of: view.image, polarity: polarity, byBands: byBands, isInside: view.isInside)
            found += readRows(candidates, view, place, ground, reduction)
            trace?.within = nil
            reader.forgetRows()
            if found.contains(where: { $0.reading.confidence >= cascade.enoughConfidence }) { break }
        }
        return found + finished(besides: found, place, reduction)
    }

    /// Where no plate was read, rows are looked for above those that were.
    private func finished(besides found: [Found], _ place: ColourPlateFinder.Place, _ reduction: Int) -> [Found] {
        guard found.allSatisfy({ $0.reading.confidence < parameters.plate.doubtfulConfidence }) else { return [] }
        let left = reader.linesLeft
        reader.startAbove()
        defer { reader.linesLeft = left }
        return reader.unfinished.prefix(Self.maximumFinished).compactMap { plate in
            guard var reading = reader.finished(plate) else { return nil }
            reading.box = place.box.divided(by: reduction)
            return Found(reading: reading, candidate: plate.candidate, in: plate.image)
        }
    }

    /// A painted plate as it is looked at: in the picture, or set upright.
    private struct PaintedView {
        var image: GrayImage

        /// The plate in pixels of `image`.
        var region: Box

        /// Whether a point of `image` lies on the plate.
        var isInside: (_ x: Int, _ y: Int) -> Bool

        /// Whether the picture's edge may cut the plate; nil where the image is the picture and tells itself.
        var isCut: Bool?

        /// How many pixels of the picture one of `image` is.
        var pixel: Double
    }

    /// Reads the likeliest rows of a coloured place.
    private func readRows(
        _ candidates: [PlateCandidate], _ view: PaintedView, _ place: ColourPlateFinder.Place, _ ground: PlateColour?,
        _ reduction: Int
    ) -> [Found] {
        if candidates.isEmpty { trace?.end(.noRow, at: view.region, "\(place.colour)", "no rows of writing") }
        var found: [Found] = []
        for var candidate in candidates.prefix(Self.maximumRows) {
            candidate.place = view.region
            guard var reading = reader.readPainted(candidate, in: view.image, colour: ground) else { continue }
            reading.box = place.box.divided(by: reduction)
            // Other rows that read the same are no surer than those that may have lost an end.
            if let same = found.first(where: { $0.reading.plate == reading.plate }) {
                reading = reading.atMost(same.reading.confidence)
            }
            found.append(
                view.isCut.map { Found(reading: reading, candidate: candidate, isCut: $0) }
                    ?? Found(reading: reading, candidate: candidate, in: view.image))
            if reading.confidence >= cascade.enoughConfidence { break }
        }
        return found
    }

    /// How likely the network takes a patch for a plate.
    private func rank(of patch: Box, _ detections: [PlateDetection]) -> Double {
        detections.filter { $0.box.overlap(patch) > Self.samePlace }.map(\.score).max() ?? 0
    }

    /// A place that the network shows as a painted plate with light writing, as most are.
    private static func painted(_ detection: PlateDetection) -> ColourPlateFinder.Place {
        ColourPlateFinder.Place(
            box: detection.box, colour: .red, score: detection.score,
            spans: Array(repeating: detection.box.x..<detection.box.right, count: detection.box.height / spanStep + 1),
            step: spanStep)
    }
}
