import Enforcement
import Recognition

/// A true plate that was not read right, and why.
package struct Miss: Encodable {
    /// The causes, in the order of how far the reader came.
    package enum Cause: String, Encodable, CaseIterable, Comparable {
        case unreadable = "the picture can't be decoded"
        case notFound = "no place was seen there"
        case unlikelyPlace = "the place is hardly a plate's"
        case enoughRead = "enough was read elsewhere"
        case noRow = "no row of glyphs was seen on it"
        case unreadRow = "a row could not be read"
        case noFormat = "no format fits what was read"
        case unlikelyPlate = "what was read is too unlikely"
        case covered = "something likelier stands there"
        case elsewhere = "another place was surer"
        case fewer = "characters are missing"
        case more = "characters too many"
        case oneWrong = "one character is wrong"
        case wrong = "several characters are wrong"

        package static func < (left: Cause, right: Cause) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package let file: String
    package let box: Box

    /// Canonical.
    package let truth: String

    /// Nil when nothing was read.
    package let answer: String?
    package let confidence: Double?
    package let cause: Cause

    /// In words: what was read, or what the reader said when it gave up.
    package let why: String

    /// - Parameters:
    ///   - answer: what was taken for the plate's reading.
    ///   - isFound: whether a place was seen where the plate is.
    ///   - trace: nil when the picture couldn't be decoded.
    init(_ entry: TruthTable.Entry, _ plate: Plate, answer: PlateReading?, isFound: Bool, _ trace: ReadingTrace?) {
        file = entry.file
        box = entry.box
        truth = plate.canonical
        self.answer = answer?.plate.canonical
        confidence = answer?.confidence
        if let answer {
            // A picture without boxes says nothing of places.
            let isElsewhere = entry.box.area > 0 && answer.box.intersection(entry.box).area == 0
            cause = isElsewhere ? .elsewhere : Self.cause(of: answer.plate, for: plate)
            why = "read \(answer.raw), taken for \(answer.format)"
        } else if let trace {
            let end = trace.end(at: entry.box)
            cause = end.flatMap { $0.reason.map(Self.cause) } ?? (isFound ? .noRow : .notFound)
            why = end.map { "\($0.about): \($0.outcome)" } ?? "nothing was tried there"
        } else {
            cause = .unreadable
            why = "the picture can't be decoded"
        }
    }

    private static func cause(of answer: Plate, for truth: Plate) -> Cause {
        let (read, wanted) = (LookAlike.folded(answer.compact), LookAlike.folded(truth.compact))
        if read.count < wanted.count { return .fewer }
        if read.count > wanted.count { return .more }
        return zip(read, wanted).count { $0 != $1 } == 1 ? .oneWrong : .wrong
    }

    private static func cause(_ reason: ReadingTrace.Reason) -> Cause {
        switch reason {
        case .unlikelyPlace: .unlikelyPlace
        case .enoughRead: .enoughRead
        case .noRow: .noRow
        case .unreadRow: .unreadRow
        case .noFormat: .noFormat
        case .unlikelyPlate: .unlikelyPlate
        case .covered: .covered
        }
    }
}
