import Enforcement
import Foundation
import Recognition

/// Shows what light and weather take from the reader: labelled pictures are read as they are, and again in each condition that is
/// drawn over them.
package struct ConditionsBench {
    package struct Row: Encodable {
        package let condition: PictureCondition
        package var answers = AnswerTally()

        /// Of the wrong ones, how many were said with ``ConditionsBench/sure`` and more.
        package var surelyWrong = 0

        enum CodingKeys: String, CodingKey {
            case condition
            case surelyWrong = "surely_wrong"
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(condition, forKey: .condition)
            try container.encode(surelyWrong, forKey: .surelyWrong)
            try answers.encode(to: encoder)
        }
    }

    package struct Report: Encodable {
        package var pictures = 0
        package var unreadable = 0
        package var rows: [Row] = []
    }

    /// What is said with this confidence and more is believed.
    package static let sure = 0.8

    let recognizer: PlateRecognizer
    let seed: UInt64

    package init(recognizer: PlateRecognizer, seed: UInt64) {
        self.recognizer = recognizer
        self.seed = seed
    }

    package func measure(_ set: LabelledSet, tell: LabEvent.Teller) -> Report {
        let pictures = set.pictures.filter { !$0.truths.isEmpty }
        var report = Report(
            pictures: pictures.count, rows: PictureCondition.allCases.map { Row(condition: $0) })
        tell(.begun("reading", total: pictures.count * report.rows.count))
        for (index, picture) in pictures.enumerated() {
            let data = try? PictureFile.read(picture.path)
            if data == nil { report.unreadable += 1 }
            for number in report.rows.indices {
                defer { tell(.advanced((picture.path as NSString).lastPathComponent)) }
                // A stream of chance for each: others leave it as it is.
                var random = SplitMix(seed &* 1_000_003 &+ UInt64(100 * index + number))
                let condition = report.rows[number].condition
                guard let data else { continue }
                do {
                    let frame = try condition.frame(of: data, plates: picture.boxes, using: &random)
                    let best = try recognizer.recognize(frame).readings.first
                    let isWrong = report.rows[number].answers.add(best?.plate.compact, truths: picture.truths)
                    if isWrong, best?.confidence ?? 0 >= Self.sure { report.rows[number].surelyWrong += 1 }
                } catch {
                    if condition == .day { report.unreadable += 1 }
                }
            }
        }
        tell(.finished)
        return report
    }
}
