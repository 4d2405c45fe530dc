import Enforcement
import Foundation
import Recognition

/// Measures what a reader's confidence is worth: of plates that were said with 0.95, about 95 % should be right.
struct ConfidenceBench {
    /// What was said about a picture, and whether it was right.
    struct Answer {
        /// The true plate, or the file's name where there is none: all photos of one plate are in the same part.
        var group: String
        var confidence: Double
        var isRight: Bool
        var isDevanagari: Bool
    }

    struct Bin: Encodable {
        var from: Double
        var to: Double
        var share = Share()
    }

    struct Report: Encodable {
        var pictures = 0
        var silent = 0
        var bins: [Bin] = []

        /// The same after a curve that was fitted on the other four fifths of the plates.
        var recalibratedBins: [Bin] = []

        /// All that was said with so much confidence or more.
        var above: [Bin] = []
        var aboveInDevanagari: [Bin] = []

        /// The least confidence from which on 95 % and more were right, for each script; nil when there is none.
        var threshold: Double?
        var thresholdInDevanagari: Double?

        /// Log odds as they should be: shift + slope × the log odds that were said.
        var latin = LogitCurve()
        var devanagari = LogitCurve()

        enum CodingKeys: String, CodingKey {
            case pictures, silent, bins
            case recalibratedBins = "recalibrated_bins"
            case above
            case aboveInDevanagari = "above_devanagari"
            case threshold
            case thresholdInDevanagari = "threshold_devanagari"
            case latin, devanagari
        }

        var text: String {
            func table(_ title: String, _ bins: [Bin]) -> String {
                var table = TextTable([(title, .left), ("said", .right), ("right", .left)])
                for bin in bins {
                    let name = bin.to > 1 ? "\(bin.from) and more" : "\(bin.from) to \(bin.to)"
                    table.add([name, "\(bin.share.count)", bin.share.text])
                }
                return table.text
            }
            func least(_ threshold: Double?) -> String { threshold.map { Output.decimal($0, 2) } ?? "nowhere" }
            return """
                \(pictures) pictures, nothing said in \(silent)
                \(table("confidence", bins))

                \(table("recalibrated, split by plate", recalibratedBins))

                \(table("Latin", above))

                \(table("Devanagari", aboveInDevanagari))

                95 % are right from: Latin \(least(threshold)), Devanagari \(least(thresholdInDevanagari))
                curves: Latin \(latin.text), Devanagari \(devanagari.text)
                """
        }
    }

    let recognizer: PlateRecognizer

    private static let edges = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01]

    /// Plates are dealt into so many parts.
    static let parts = 5

    func measure(_ set: LabelledSet) -> Report {
        var answers: [Answer] = []
        var progress = Progress("reading", total: set.pictures.count)
        for picture in set.pictures {
            defer { progress.advance((picture.path as NSString).lastPathComponent) }
            guard let data = try? PictureFile.read(picture.path),
                let best = try? recognizer.recognize(data).readings.first
            else { continue }
            answers.append(
                Answer(
                    group: picture.truths.sorted().first ?? picture.path, confidence: best.confidence,
                    isRight: picture.truths.contains(LookAlike.folded(best.plate.compact)),
                    isDevanagari: PlateFormat.named(best.format)?.script == .devanagari))
        }
        progress.finish()
        return Self.report(answers, pictures: set.pictures.count)
    }

    static func report(_ answers: [Answer], pictures: Int) -> Report {
        var report = Report(pictures: pictures, silent: pictures - answers.count)
        let latin = answers.filter { !$0.isDevanagari }
        let devanagari = answers.filter(\.isDevanagari)
        report.bins = bins(answers)
        report.recalibratedBins = bins(recalibrated(latin) + recalibrated(devanagari))
        report.above = above(latin)
        report.aboveInDevanagari = above(devanagari)
        report.threshold = threshold(latin)
        report.thresholdInDevanagari = threshold(devanagari)
        report.latin = LogitCurve(fitting: latin.map { ($0.confidence, $0.isRight) })
        report.devanagari = LogitCurve(fitting: devanagari.map { ($0.confidence, $0.isRight) })
        return report
    }

    private static func bins(_ answers: [Answer]) -> [Bin] {
        zip(edges, edges.dropFirst()).map { from, to in
            var bin = Bin(from: from, to: to)
            for answer in answers where answer.confidence >= from && answer.confidence < to {
                bin.share.add(answer.isRight)
            }
            return bin
        }
    }

    private static func above(_ answers: [Answer]) -> [Bin] {
        [0.7, 0.8, 0.85, 0.9, 0.95, 0.97].map { from in
            var bin = Bin(from: from, to: 1.01)
            for answer in answers where answer.confidence >= from { bin.share.add(answer.isRight) }
            return bin
        }
    }

    /// The least confidence from which on 95 % and more of at least 20 answers were right.
    static func threshold(_ answers: [Answer]) -> Double? {
        (50...99).map { Double($0) / 100 }.first { from in
            var share = Share()
            for answer in answers where answer.confidence >= from { share.add(answer.isRight) }
            return share.count >= 20 && share.percent >= 95
        }
    }

    /// Every answer as a curve says it that was fitted on the plates of the other parts.
    private static func recalibrated(_ answers: [Answer]) -> [Answer] {
        let part = answers.map { answer in
            // A hash that is the same in every run (FNV-1a).
            Int(
                answer.group.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 8
                    % UInt64(parts))
        }
        return (0..<parts).flatMap { held in
            let others = zip(answers, part).filter { $0.1 != held }.map { ($0.0.confidence, $0.0.isRight) }
            let curve = LogitCurve(fitting: others)
            return zip(answers, part).filter { $0.1 == held }.map { answer, _ in
                var copy = answer
                copy.confidence = curve.probability(answer.confidence)
                return copy
            }
        }
    }
}

/// A line through log odds: what a confidence should have been (Platt 1999).
struct LogitCurve: Encodable, Equatable {
    var shift = 0.0
    var slope = 1.0

    private static let pull = 1.0

    init() {}

    /// The likeliest line, drawn a little towards what was said so that few answers don't bend it far.
    init(fitting answers: [(confidence: Double, isRight: Bool)]) {
        let points = answers.map { (x: Self.logit($0.confidence), y: $0.isRight ? 1.0 : 0.0) }
        // Newton's method: two unknowns, a few steps, each halved until it is one uphill.
        for _ in 0..<50 {
            let step = step(points)
            var length = 1.0
            while length > 1e-6, moved(step, length).likelihood(points) < likelihood(points) { length /= 2 }
            self = moved(step, length)
        }
    }

    private func moved(_ step: (shift: Double, slope: Double), _ length: Double) -> LogitCurve {
        var moved = self
        moved.shift += length * step.shift
        moved.slope += length * step.slope
        return moved
    }

    /// The logarithm of how likely the answers are, less what being drawn costs.
    private func likelihood(_ points: [(x: Double, y: Double)]) -> Double {
        points.reduce(-Self.pull / 2 * (shift * shift + (slope - 1) * (slope - 1))) { sum, point in
            let z = shift + slope * point.x
            return sum - log1p(exp(point.y > 0.5 ? -z : z))
        }
    }

    private func step(_ points: [(x: Double, y: Double)]) -> (shift: Double, slope: Double) {
        var gradient = (-Self.pull * shift, -Self.pull * (slope - 1))
        var curvature = (Self.pull, 0.0, Self.pull)
        for point in points {
            let p = 1 / (1 + exp(-(shift + slope * point.x)))
            let weight = p * (1 - p)
            gradient.0 += point.y - p
            gradient.1 += (point.y - p) * point.x
            curvature.0 += weight
            curvature.1 += weight * point.x
            curvature.2 += weight * point.x * point.x
        }
        let determinant = curvature.0 * curvature.2 - curvature.1 * curvature.1
        guard determinant > 1e-9 else { return (0, 0) }
        return (
            (curvature.2 * gradient.0 - curvature.1 * gradient.1) / determinant,
            (curvature.0 * gradient.1 - curvature.1 * gradient.0) / determinant
        )
    }

    func probability(_ confidence: Double) -> Double { 1 / (1 + exp(-(shift + slope * Self.logit(confidence)))) }

    var text: String { "\(Output.decimal(shift, 2)) + \(Output.decimal(slope, 2)) × log odds" }

    private static func logit(_ confidence: Double) -> Double {
        let bounded = max(0.001, min(0.999, confidence))
        return log(bounded / (1 - bounded))
    }
}
