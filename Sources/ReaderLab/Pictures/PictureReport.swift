import Enforcement
import Recognition

/// What was seen in a picture, as `read --json` prints it.
package struct PictureReport: Encodable {
    package struct PlateReport: Encodable {
        package struct CandidateReport: Encodable {
            let plate: String
            let confidence: Double
        }

        let plate: String
        let text: String
        let raw: String
        let confidence: Double
        let box: Box
        let format: String

        /// The ground that it stands on, where it was seen.
        let colour: PlateColour?

        /// How surely its place is a plate's, 0…1.
        let placeScore: Double?
        let candidates: [CandidateReport]

        private enum CodingKeys: String, CodingKey {
            case plate, text, raw, confidence, box, format, colour, candidates
            case placeScore = "place_score"
        }

        init(_ reading: PlateReading) {
            plate = reading.plate.compact
            text = reading.plate.canonical
            raw = reading.raw
            confidence = rounded(reading.confidence, 4)
            box = reading.box
            format = reading.format
            colour = reading.colour
            placeScore = reading.look.map { rounded($0.score, 4) }
            candidates = reading.candidates.map {
                CandidateReport(plate: $0.plate.compact, confidence: rounded($0.confidence, 4))
            }
        }
    }

    let file: String
    var width: Int?
    var height: Int?
    var ms: Double?
    var plates: [PlateReport] = []
    var regions: [Box]?

    /// Where a plate was surely seen and nothing was read.
    var unread: [Box]?
    var error: String?

    package init(file: String, result: PlateRecognizer.Result) {
        self.file = file
        width = result.width
        height = result.height
        ms = rounded(result.times.totalMs, 2)
        plates = result.readings.map(PlateReport.init)
        regions = result.regions
        unread = result.unread.map(\.box)
    }

    package init(file: String, error: String) {
        self.file = file
        self.error = error
    }
}

private func rounded(_ value: Double, _ digits: Int) -> Double {
    let factor = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    return (value * factor).rounded() / factor
}
