import Enforcement
import Foundation

/// Finds and reads the plates of one picture. It belongs to one thread at a time.
package final class PlateRecognizer {
    /// What was seen in a picture.
    package struct Result: Sendable {
        package var width: Int
        package var height: Int

        /// The plates that were read, the likeliest first.
        package var readings: [PlateReading]

        /// Where plates were surely seen and nothing was read.
        package var unread: [PlateReading]

        /// Where plates were found, read or not.
        package var regions: [Box]

        /// Where it looks like a plate, the likeliest first.
        var places: [PlateDetection]

        /// How long each stage took.
        package var times: StageTimes
    }

    /// Wall time in milliseconds.
    package struct StageTimes: Sendable, Equatable {
        package var decodeMs = 0.0
        package var findMs = 0.0
        package var readMs = 0.0

        package init() {}

        init(decodeMs: Double, findMs: Double, readMs: Double) {
            self.decodeMs = decodeMs
            self.findMs = findMs
            self.readMs = readMs
        }

        package var totalMs: Double { decodeMs + findMs + readMs }
    }

    /// At most this many candidates of a picture are read: a bound on the time, which no road scene comes near.
    package static let maximumReadings = 8

    /// Two places that overlap by more than this part of their area together are shown as one.
    private static let sameRegion = 0.5

    /// What belongs to the models that are read with.
    package let parameters: ReaderParameters
    var cascade: ReaderParameters.Cascade { parameters.cascade }

    var finder = PlateFinder()
    var rowFinder = RegionRowFinder()
    var turn = PlateTurn()
    private var colourFinder = ColourPlateFinder()
    var detectionSearch = DetectionSearch()
    let reader: PlateReader

    /// The network that shows where plates are; nil where its file is missing or broken: then rows and colours alone are searched.
    let detector: PlateDetector?

    /// Reads plates whole; nil where its file is missing or broken: then rows alone are read.
    let whole: WholePlateReader?

    /// What is done with the next picture, for whoever asks why; nil when nobody does.
    package var trace: ReadingTrace? { didSet { reader.trace = trace } }

    /// What is missing without which pictures are still read, worse; for the log.
    package let problems: [String]

    /// - Parameter parameters: other ones than those that lie beside the models, to see what they do.
    package init(
        models: String? = nil, country: String? = nil, parameters: ReaderParameters? = nil
    ) throws(ModelError) {
        reader = try PlateReader(models: models, country: country, parameters: parameters)
        self.parameters = reader.parameters
        var problems: [String] = []
        if reader.devanagari == nil {
            let searched = ModelFolder.candidates(given: models).joined(separator: ", ")
            problems.append(
                "Plates in Devanagari are not read: \(ModelFolder.devanagariModel).traineddata is in none of \(searched)."
            )
        }
        if let problem = reader.problem {
            problems.append("The headings of plates by province are read worse: \(String(sentence: problem))")
        }
        do {
            detector = try PlateDetector(try ModelFolder.network(given: models), reader.parameters.finding)
        } catch {
            detector = nil
            problems.append("Plates are searched without the network: \(String(sentence: error))")
        }
        do {
            whole = try WholePlateReader(try ModelFolder.network(WholePlateReader.fileName, given: models))
        } catch {
            whole = nil
            problems.append("Plates are read by their rows alone: \(String(sentence: error))")
        }
        self.problems = problems
    }

    /// - Parameter picture: a JPEG, PNG or PNM file's bytes.
    package func recognize(_ picture: Data) throws(ImageError) -> Result {
        let start = ContinuousClock().now
        return recognize(try ImageDecoder.decode(picture), since: start)
    }

    /// - Parameter start: when decoding it began.
    func recognize(_ decoded: ImageDecoder.Decoded, since start: ContinuousClock.Instant) -> Result {
        let clock = ContinuousClock()
        let decodedAt = clock.now
        let grounds = Grounds(decoded)
        var detections = detector?.find(in: decoded, grounds.levels) ?? []
        let detectedAt = clock.now
        note(detections, "network")
        reader.startPicture()
        var whole = readWhole(detections, among: detections, of: decoded, grounds)
        // A place painted as most of Nepal's plates are is read so first: in gray it costs many lines, and seldom reads.
        let painted = detections.filter { $0.score >= cascade.readableScore && grounds.ground(in: $0.box) == .red }
        var found = readPainted(decoded.reduction, patches: [], detections: painted, grounds)
        if !painted.isEmpty { reader.startPicture() }
        let left = detections.filter { !isRead($0, found, decoded.reduction) }
        found += readDetections(left, decoded, grounds, besides: found)
        var searchMs = 0.0
        if isDoubtful(cascade.sureConfidence, found, whole, decoded) {
            let start = clock.now
            let both = detector?.findCloser(in: decoded, grounds.levels, than: detections)
            searchMs += (clock.now - start).milliseconds
            if let both {
                let new = both.filter { !detections.contains($0) && !isRead($0, found, decoded.reduction) }
                note(new, "network, closer")
                found += readDetections(new, decoded, grounds, besides: found)
                whole += readWhole(both.filter { !detections.contains($0) }, among: both, of: decoded, grounds)
                detections = both
                whole.removeAll { read in !both.contains { $0.box == read.box } }
            }
        }
        var regions = detections.map(\.box)
        if isDoubtful(cascade.enoughConfidence, found, whole, decoded) {
            let start = clock.now
            let candidates = search(decoded, detections)
            searchMs += (clock.now - start).milliseconds
            found += readRows(worthReading(candidates, detections, decoded.reduction), decoded, grounds, besides: found)
            regions += candidates.map { $0.box.scaled(by: decoded.reduction) }.filter { isNew($0, among: regions) }
        }
        if isDoubtful(cascade.enoughConfidence, found, whole, decoded) {
            let start = clock.now
            let patches = grounds.map.map { colourFinder.find(in: $0) } ?? []
            searchMs += (clock.now - start).milliseconds
            let latin = latinPlaces(found, decoded.reduction)
            found += readPainted(
                decoded.reduction, patches: patches, detections: detections, grounds, besides: latin, tried: painted)
            regions += patches.map(\.box).filter { isNew($0, among: regions) }
        }
        trace?.scale = decoded.reduction
        let rows = distinct(withoutHalves(found)).map { $0.scaled(by: decoded.reduction) }
        whole = lookedAgain(whole, rows, detections, of: decoded, grounds)
        let readings = joined(rows, with: whole, width: decoded.width).map { placed($0, on: detections) }
        let end = clock.now
        return Result(
            width: decoded.width, height: decoded.height,
            readings: readings, unread: unread(detections, besides: readings), regions: regions,
            places: detections.filter { $0.score >= parameters.finding.plateScore },
            times: StageTimes(
                decodeMs: (decodedAt - start).milliseconds, findMs: (detectedAt - decodedAt).milliseconds + searchMs,
                readMs: (end - detectedAt).milliseconds - searchMs))
    }

    /// Whether nothing was read as surely as that, by rows and whole together.
    private func isDoubtful(
        _ limit: Double, _ found: [Found], _ whole: [PlateReading], _ decoded: ImageDecoder.Decoded
    ) -> Bool {
        guard found.allSatisfy({ $0.reading.confidence < limit }) else { return false }
        // What both say is enough where its format allows little: a part of a plate reads alike, too.
        let rows = found.filter { PlateFormat.named($0.reading.format)?.isTight == true }.map {
            $0.reading.scaled(by: decoded.reduction)
        }
        return joined(rows, with: whole, width: decoded.width).allSatisfy { $0.confidence < limit }
    }

    /// The reading with how surely its place is a plate's: half of it lies on what the network shows.
    private func placed(_ reading: PlateReading, on detections: [PlateDetection]) -> PlateReading {
        guard detector != nil else { return reading }
        var placed = reading
        let score =
            detections.filter { 2 * $0.box.intersection(reading.box).area > reading.box.area }.map(\.score).max() ?? 0
        placed.look = parameters.finding.look(of: score)
        return placed
    }

    /// The places that the network is sure of and on which no reading lies.
    private func unread(_ detections: [PlateDetection], besides readings: [PlateReading]) -> [PlateReading] {
        detections.filter { $0.score >= parameters.finding.sureScore }
            .filter { place in !readings.contains { $0.box.intersection(place.box).area > 0 } }
            .map { .unread(at: $0.box, look: parameters.finding.look(of: $0.score)) }
    }

    private func note(_ detections: [PlateDetection], _ about: String) {
        trace?.scale = 1
        for detection in detections {
            trace?.note(.detection, at: detection.box, about, "score \(ReadingTrace.figure(detection.score))")
        }
    }

    /// Reads what stands at the places that the network shows.
    private func readDetections(
        _ detections: [PlateDetection], _ decoded: ImageDecoder.Decoded, _ grounds: Grounds, besides known: [Found] = []
    ) -> [Found] {
        var found = known
        trace?.scale = decoded.reduction
        for detection in detections.prefix(Self.maximumReadings) {
            let best = found.reduce(0) { max($0, $1.reading.confidence) }
            if best >= cascade.sureConfidence, detection.score < cascade.secondSpotScore {
                trace?.end(
                    .enoughRead, at: detection.box.divided(by: decoded.reduction), "network",
                    "beside a plate that was read surely a place must be surer than \(cascade.secondSpotScore)")
                break
            }
            if detection.score < cascade.readableScore {
                trace?.end(
                    .unlikelyPlace, at: detection.box.divided(by: decoded.reduction), "network",
                    "the place is less sure than \(cascade.readableScore)")
                break
            }
            let candidates = detectionSearch.candidates(
                in: detection.box.divided(by: decoded.reduction), of: decoded.image)
            if candidates.isEmpty {
                trace?.end(.noRow, at: detection.box.divided(by: decoded.reduction), "gray", "no row of glyphs")
            }
            for candidate in candidates where !isSmallPrint(candidate, ofAny: found) {
                let isSecond = best >= cascade.sureConfidence
                let ground = grounds.ground(in: candidate.box.scaled(by: decoded.reduction))
                guard let reading = reader.read(candidate, in: decoded.image, isSecond: isSecond, colour: ground) else {
                    continue
                }
                found.append(Found(reading: reading, candidate: candidate, in: decoded.image))
                if reading.confidence >= cascade.sureConfidence { break }
            }
            if let recovered = readAgain(detection, decoded, grounds, besides: found) { found.append(recovered) }
        }
        return Array(found.dropFirst(known.count))
    }

    /// Reads rows that were found without the network.
    private func readRows(
        _ candidates: [PlateCandidate], _ decoded: ImageDecoder.Decoded, _ grounds: Grounds, besides known: [Found]
    ) -> [Found] {
        var found = known
        trace?.scale = decoded.reduction
        for candidate in candidates.prefix(Self.maximumReadings) {
            trace?.note(
                .detection, at: candidate.box, "row without the network",
                "score \(ReadingTrace.figure(candidate.score))")
            // Next to a plate that was read surely, only what looks like a plate is worth a look.
            let best = found.reduce(0) { max($0, $1.reading.confidence) }
            if best >= cascade.sureConfidence, candidate.score < cascade.secondRowScore { break }
            if isSmallPrint(candidate, ofAny: found) { continue }
            let ground = grounds.ground(in: candidate.box.scaled(by: decoded.reduction))
            let isSecond = best >= cascade.sureConfidence
            if let reading = reader.read(candidate, in: decoded.image, isSecond: isSecond, colour: ground) {
                found.append(Found(reading: reading, candidate: candidate, in: decoded.image))
            }
        }
        return Array(found.dropFirst(known.count))
    }

    private func isNew(_ place: Box, among regions: [Box]) -> Bool {
        !regions.contains { $0.overlap(place) > Self.sameRegion }
    }
}
