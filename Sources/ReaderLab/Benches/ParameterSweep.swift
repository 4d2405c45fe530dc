import Enforcement
import Foundation
import Recognition

/// Shows what one of the reader's parameters does: labelled pictures are read with one value of it after another, all else as it is.
package struct ParameterSweep {
    /// What was said of the pictures with one value.
    package struct Row: Encodable, Equatable {
        package let value: Double

        /// Whether it is the value that is read with now.
        package let isInUse: Bool

        package var answers = AnswerTally()

        enum CodingKeys: String, CodingKey {
            case value
            case isInUse = "in_use"
        }

        init(value: Double, isInUse: Bool) {
            self.value = value
            self.isInUse = isInUse
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .value)
            try container.encode(isInUse, forKey: .isInUse)
            try answers.encode(to: encoder)
        }
    }

    package struct Report: Encodable {
        package let parameter: String
        package var pictures = 0
        package var unreadable = 0
        package var rows: [Row] = []

    }

    let parameter: String

    /// The parameters with each of the values, the one in use among them, in ascending order.
    let variants: [(value: Double, parameters: ReaderParameters)]
    private let usual: Double

    /// - Parameter count: how many values, evenly from the first to the last; of a whole number those that are whole.
    /// - Throws: `ReaderParameters.Failure` for a name that none has and a value that can't be.
    package init(
        _ parameter: String, from: Double, to: Double, count: Int, parameters: ReaderParameters
    ) throws(ReaderParameters.Failure) {
        guard let usual = parameters.numbers.first(where: { $0.name == parameter })?.value else {
            throw .unknown(parameter)
        }
        self.parameter = parameter
        self.usual = usual
        let values = (0..<count).map { step in
            // Rounded, so that 0.1 and not 0.30000000000000004 is what is shown and what is set.
            let value = from + (to - from) * Double(step) / Double(max(1, count - 1))
            return ReaderParameters.isWhole(parameter) ? value.rounded() : (value * 1e6).rounded() / 1e6
        }
        var variants: [Double: ReaderParameters] = [usual: parameters]
        for value in values where variants[value] == nil {
            variants[value] = try parameters.setting(parameter, to: value)
        }
        self.variants = variants.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// As somebody asked for it.
    ///
    /// - Throws: `AdvisedError` for a name that none has and a value that can't be.
    package static func asked(
        _ parameter: String, from: Double, to: Double, count: Int, parameters: ReaderParameters
    ) throws -> Self {
        do throws(ReaderParameters.Failure) {
            return try Self(parameter, from: from, to: to, count: count, parameters: parameters)
        } catch {
            throw AdvisedError(
                String(sentence: error), hint: "`checkpost model show` names the parameters and their values.")
        }
    }

    /// - Parameter makeRecognizer: makes a reader with parameters.
    package func measure(
        _ set: LabelledSet, tell: LabEvent.Teller, makeRecognizer: (ReaderParameters) throws -> PlateRecognizer
    ) throws -> Report {
        var report = Report(parameter: parameter, pictures: set.pictures.count)
        tell(.begun("reading", total: set.pictures.count * variants.count))
        for (value, parameters) in variants {
            let recognizer = try makeRecognizer(parameters)
            var row = Row(value: value, isInUse: value == usual)
            report.unreadable = 0
            for picture in set.pictures {
                defer { tell(.advanced((picture.path as NSString).lastPathComponent)) }
                guard let data = try? PictureFile.read(picture.path),
                    let readings = try? recognizer.recognize(data).readings
                else {
                    report.unreadable += 1
                    continue
                }
                row.answers.add(readings.first?.plate.compact, truths: picture.truths)
            }
            report.rows.append(row)
        }
        tell(.finished)
        return report
    }
}
