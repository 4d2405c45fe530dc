import Enforcement
import Plates

/// Plates that are read whole, beside those whose rows were told apart first.
extension PlateRecognizer {
    /// So many places of a look at the picture are read whole: a bound on the time.
    private static let maximumWhole = 4

    /// A place begins a twentieth of its width before its plate.
    private static let marginOfPlace = 20

    /// So many of them are looked at once more, from a little aside.
    private static let maximumAgain = 2

    /// A place with less than this part of the likeliest one's odds shows other writing as often as a plate.
    private static let besideBest = 0.5

    /// Reads the likeliest places whole.
    ///
    /// - Parameter all: the places of the picture, those that were read before among them.
    /// - Returns: readings in pixels of the stored picture.
    func readWhole(
        _ places: [PlateDetection], among all: [PlateDetection], of decoded: ImageDecoder.Decoded, _ grounds: Grounds
    ) -> [PlateReading] {
        places.filter { $0.score >= cascade.readableScore }.prefix(Self.maximumWhole).compactMap { place in
            let view = WholeView(
                image: decoded.image, box: place.box.divided(by: decoded.reduction), looks: [WholePlateReader.plain],
                about: "whole")
            return readWhole(place, as: view, among: all, of: decoded, grounds)
        }
    }

    /// Where rows and whole don't say the same surely the likeliest places are looked at once more: from a little aside, and set upright
    /// where the writing is turned.
    func lookedAgain(
        _ whole: [PlateReading], _ rows: [PlateReading], _ places: [PlateDetection], of decoded: ImageDecoder.Decoded,
        _ grounds: Grounds
    ) -> [PlateReading] {
        let agreed = whole.filter { read in
            read.confidence >= cascade.enoughConfidence
                && rows.contains { $0.box.isSamePlace(as: read.box) && $0.saysTheSame(as: read) }
        }
        let open = places.filter { place in
            place.score >= cascade.readableScore && !agreed.contains { $0.box == place.box }
        }.prefix(Self.maximumAgain)
        let again = open.compactMap { place in
            let box = place.box.divided(by: decoded.reduction)
            let looks = [WholePlateReader.plain] + WholePlateReader.aside
            let level = WholeView(
                image: decoded.image, box: box, looks: looks, about: "whole, \(looks.count) looks")
            let read =
                readWhole(place, as: level, among: places, of: decoded, grounds)
                ?? whole.first { $0.box == place.box }
            let rowsHere = rows.filter { $0.box.isSamePlace(as: place.box) }
            let here = [read].compactMap { $0 } + rowsHere
            if here.contains(where: { $0.confidence >= cascade.enoughConfidence }) { return read }
            let views =
                [read].compactMap { $0 }
                + upright(box, of: decoded.image).compactMap {
                    readWhole(place, as: $0, among: places, of: decoded, grounds)
                }
            // What the rows say too is worth more than what is surer by itself.
            let confirmed = views.filter { view in rowsHere.contains { $0.saysTheSame(as: view) } }
            return (confirmed.isEmpty ? views : confirmed).max { $0.confidence < $1.confidence }
        }
        return again + whole.filter { read in !again.contains { $0.box == read.box } }
    }

    /// A plate as it is read whole.
    private struct WholeView {
        var image: GrayImage

        /// The plate in pixels of `image`.
        var box: Box
        var looks: [WholePlateReader.Look]
        var about: String
        var isTurned = false

        /// How surely the network that finds plates takes it for one, where it saw it so.
        var score: Double?
    }

    /// A plate that is turned far is looked for once more when its surroundings are set upright.
    /// That is so much of them: in longer sides of the box, and how many pixels a side at most.
    private static let surroundings = (reach: 2.0, side: 320.0)

    /// A turned plate, set upright: as the network finds it there, or in each way that its box allows; none where its rows lie level.
    private func upright(_ box: Box, of image: GrayImage) -> [WholeView] {
        let polarities: [GlyphChain.Polarity] = [.darkOnLight, .lightOnDark]
        return Set(polarities.compactMap { turn.slope(in: box, of: image, polarity: $0) }).sorted().flatMap { slope in
            let about = "whole, turned by a slope of \(ReadingTrace.figure(slope))"
            if abs(slope) >= Self.far, let detector {
                let around = UprightPlate(
                    around: box, of: image, slope: slope, reach: Self.surroundings.reach, side: Self.surroundings.side)
                if let found = detector.find(in: around.image).first(where: { around.isMiddle(of: $0.box) }) {
                    return [
                        WholeView(
                            image: around.image, box: found.box, looks: [WholePlateReader.plain], about: about,
                            score: found.score)
                    ]
                }
            }
            return [UprightPlate.Shape.ofBox, .usual].map { shape in
                let upright = UprightPlate(box, of: image, slope: slope, shape: shape)
                return WholeView(
                    image: upright.image, box: upright.box, looks: [WholePlateReader.plain], about: about,
                    isTurned: true)
            }
        }
    }

    /// - Returns: nil where nothing is seen that fits a plate.
    private func readWhole(
        _ place: PlateDetection, as view: WholeView, among all: [PlateDetection], of decoded: ImageDecoder.Decoded,
        _ grounds: Grounds
    ) -> PlateReading? {
        let box = place.box.divided(by: decoded.reduction)
        guard let whole, box.width > 0, box.height > 0 else { return nil }
        let best = all.map { odds(of: $0.score) }.max() ?? 0
        trace?.scale = decoded.reduction
        trace?.note(.crop, at: box, view.about, "stretched for the network", whole.crop(of: view.image, in: view.box))
        let colour = grounds.ground(in: place.box)
        let glimpses = whole.glimpses(of: view.image, in: view.box, looks: view.looks)
        trace?.note(.vote, at: box, view.about, ReadingTrace.words(glimpses))
        let found = WholePlateReading.readings(glimpses, reader.matcher, colour: colour).first
        let read = found?.reading(
            at: place.box, on: colour, country: reader.matcher.country, parameters.whole.evidence)
        guard var reading = read else {
            trace?.note(.formats, at: box, view.about, "what was seen fits no format")
            return nil
        }
        // On a vehicle other writing is read as well as the plate, and looks less like one.
        let score = max(place.score, view.score ?? 0)
        let surely = min(1, odds(of: score) / odds(of: parameters.whole.surePlace))
        reading = reading.atMost(probability(reading.confidence, timesOdds: surely))
        // Other writing fits some far country's plates, and an embossed one, by chance.
        let format = PlateFormat.named(reading.format)
        // The network that finds plates is less sure of turned ones.
        let least = view.isTurned ? parameters.finding.plateScore : parameters.finding.sureScore
        let isBeside = odds(of: score) < Self.besideBest * best || score < least
        guard format?.isUsual(in: reader.matcher.country) == true, format?.isToldBySpaces == false || !isBeside
        else {
            trace?.note(
                .formats, at: box, view.about, "\(reading.plate.canonical) may be other writing than a plate")
            return nil
        }
        reading.look = parameters.finding.look(of: place.score)
        trace?.note(
            .plate, at: box, reading.format,
            "\(reading.plate.canonical), read \(view.about), sure \(ReadingTrace.figure(reading.confidence))")
        return reading
    }

    /// The readings of rows, with what was read whole at the same places: what both say is surer, what they say apart is less.
    ///
    /// - Parameter width: of the picture: a plate that its left or right edge may cut is never sure, whoever read it.
    func joined(_ rows: [PlateReading], with whole: [PlateReading], width: Int) -> [PlateReading] {
        func limited(_ reading: PlateReading, at place: Box, before: Double = 0) -> PlateReading {
            let margin = place.width / Self.marginOfPlace
            let isCut = place.x <= margin || place.right >= width - margin
            return isCut ? reading.atMost(max(before, cascade.cutConfidence)) : reading
        }
        var left = whole
        var both: [PlateReading] = []
        // Those that say what was read whole first: another row of the same plate may be read more surely.
        for row in rows.filter({ isSaid($0, whole) }) + rows.filter({ !isSaid($0, whole) }) {
            let here = left.indices.filter { left[$0].box.isSamePlace(as: row.box) }
            guard let index = here.first(where: { left[$0].saysTheSame(as: row) }) ?? here.first else {
                both.append(row)
                continue
            }
            let other = left.remove(at: index)
            guard other.confidence >= cascade.minimumConfidence else {
                both.append(row)
                continue
            }
            var joined = row.joined(with: other, parameters.whole)
            // What is doubtful for another reason than its glyphs stays so, and so does what hardly looks like a plate.
            if row.bound != nil || other.look?.score ?? 0 < parameters.finding.sureScore {
                joined = joined.atMost(max(row.confidence, cascade.enoughConfidence))
            }
            both.append(limited(joined, at: other.box, before: row.confidence))
        }
        for read in left.sorted(by: { $0.confidence > $1.confidence })
        where read.confidence >= max(parameters.whole.leastAlone, cascade.minimumConfidence)
            && !both.contains(where: { $0.box.isSamePlace(as: read.box) })
        {
            both.append(limited(read.atMost(parameters.whole.alone), at: read.box))
        }
        return both.sorted { $0.confidence > $1.confidence }
    }

    private func isSaid(_ row: PlateReading, _ whole: [PlateReading]) -> Bool {
        whole.contains { $0.box.isSamePlace(as: row.box) && $0.saysTheSame(as: row) }
    }
}
