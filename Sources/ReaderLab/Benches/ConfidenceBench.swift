import Enforcement
import Foundation
import Recognition

/// Measures what a reader's confidence is worth: of plates that were said with 0.95, about 95 % should be right.
package struct ConfidenceBench {
    /// What was said about a picture, and whether it was right.
    struct Answer {
        /// The true plate, or the file's name where there is none: all photos of one plate are in the same part.
        var group: String
        var confidence: Double
        var isRight: Bool
        var isDevanagari: Bool
    }

    package struct Bin: Encodable {
        package var from: Double
        package var to: Double
        package var share = Share()
    }

    package struct Report: Encodable {
        package var pictures = 0
        package var silent = 0
        package var bins: [Bin] = []

        /// The same after a curve that was fitted on the other four fifths of the plates.
        package var recalibratedBins: [Bin] = []

        /// All that was said with so much confidence or more.
        package var above: [Bin] = []
        package var aboveInDevanagari: [Bin] = []

        /// The least confidence from which on 95 % and more were right, for each script; nil when there is none.
        package var threshold: Double?
        package var thresholdInDevanagari: Double?

        /// Log odds as they should be: shift + slope × the log odds that were said.
        package var latin = LogitCurve()
        package var devanagari = LogitCurve()

        enum CodingKeys: String, CodingKey {
            case pictures, silent, bins
            case recalibratedBins = "recalibrated_bins"
            case above
            case aboveInDevanagari = "above_devanagari"
            case threshold
            case thresholdInDevanagari = "threshold_devanagari"
            case latin, devanagari
        }

    }

    let recognizer: PlateRecognizer

    package init(recognizer: PlateRecognizer) { self.recognizer = recognizer }

    private static let edges = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01]

    /// Plates are dealt into so many parts.
    static let parts = 5

    package func measure(_ set: LabelledSet, tell: LabEvent.Teller) -> Report {
        var answers: [Answer] = []
        tell(.begun("reading", total: set.pictures.count))
        for picture in set.pictures {
            defer { tell(.advanced((picture.path as NSString).lastPathComponent)) }
            guard let data = try? PictureFile.read(picture.path),
                let best = try? recognizer.recognize(data).readings.first
            else { continue }
            answers.append(
                Answer(
                    group: picture.truths.sorted().first ?? picture.path, confidence: best.confidence,
                    isRight: picture.truths.contains(LookAlike.folded(best.plate.compact)),
                    isDevanagari: PlateFormat.named(best.format)?.script == .devanagari))
        }
        tell(.finished)
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
