import Enforcement
import Foundation
import Recognition

/// How well pictures were read, measured against their true plates, each picture alone.
package struct AccuracyReport: Encodable {
    /// Whether the answer is the reading that lies on a true plate: a scene holds several vehicles. Otherwise it is the surest one.
    let isByBox: Bool

    /// A reading that overlaps with a true plate's box by this much lies on it.
    private static let onPlate = 0.3

    /// The plates that were not read right.
    package private(set) var misses: [Miss] = []

    /// The plates by format.
    package private(set) var formats = FormatTally()

    package init(isByBox: Bool = false) { self.isByBox = isByBox }

    /// Pictures that were scored, those without a plate and those that can't be read among them.
    package private(set) var pictures = 0

    /// True plates in them.
    package private(set) var plates = 0

    /// Plates whose likeliest reading is right to the letter, …
    package private(set) var exact = 0

    /// … and right when O, Q and 0 are one character, and I and 1.
    package private(set) var folded = 0

    /// Plates whose place was found: their box and a found one overlap by half or more (intersection over union).
    package private(set) var found = 0

    /// Pictures without a plate, and those of them in which none was seen.
    package private(set) var withoutPlate = 0
    package private(set) var withoutPlateRight = 0

    /// Pictures that couldn't be decoded.
    package private(set) var unreadable = 0

    /// Wrong, missing and additional characters, folded, as a part of the true ones.
    package private(set) var characterErrorRate = 0.0

    package private(set) var decodeMs = Percentiles()
    package private(set) var findMs = Percentiles()
    package private(set) var readMs = Percentiles()
    package private(set) var totalMs = Percentiles()

    private var characterErrors = 0
    private var characters = 0

    package enum CodingKeys: String, CodingKey {
        case pictures, plates, exact, folded, found, formats, misses
        case withoutPlate = "without_plate"
        case withoutPlateRight = "without_plate_right"
        case unreadable
        case characterErrorRate = "character_error_rate"
        case decodeMs = "decode_ms"
        case findMs = "find_ms"
        case readMs = "read_ms"
        case totalMs = "total_ms"
    }

    /// Adds a picture.
    ///
    /// - Parameters:
    ///   - result: nil when the picture couldn't be decoded.
    ///   - entries: its rows of the truth table.
    ///   - trace: what the reader did with the picture, for the misses' reasons.
    ///   - tell: is told of every true plate, what was taken for its reading, and the miss if it is one.
    package mutating func add(
        _ result: PlateRecognizer.Result?, entries: [TruthTable.Entry], trace: ReadingTrace? = nil,
        tell: (TruthTable.Entry, Plate, PlateReading?, Miss?) throws -> Void = { _, _, _, _ in }
    ) rethrows {
        pictures += 1
        if let result {
            decodeMs.add(result.times.decodeMs)
            findMs.add(result.times.findMs)
            readMs.add(result.times.readMs)
            totalMs.add(result.times.totalMs)
        } else {
            unreadable += 1
        }
        let readings = result?.readings ?? []
        let places = readings.map(\.box) + (result?.regions ?? [])
        for entry in entries {
            guard let plate = entry.plate else {
                withoutPlate += 1
                if result != nil, readings.isEmpty { withoutPlateRight += 1 }
                continue
            }
            let truth = plate.compact
            let own = readings.first { !isByBox || $0.box.overlap(entry.box) >= Self.onPlate }
            let answer = own?.plate.compact ?? ""
            let isRight = LookAlike.folded(answer) == LookAlike.folded(truth)
            let isFound = places.contains { $0.overlap(entry.box) >= 0.5 }
            plates += 1
            if answer == truth { exact += 1 }
            if isRight { folded += 1 }
            if isFound { found += 1 }
            formats.add(entry, plate, isRight: isRight, isFound: isFound)
            let miss = isRight ? nil : Miss(entry, plate, answer: own, isFound: isFound, result == nil ? nil : trace)
            miss.map { misses.append($0) }
            try tell(entry, plate, own, miss)
            characterErrors += editDistance(LookAlike.folded(answer), LookAlike.folded(truth))
            characters += truth.count
        }
        characterErrorRate = characters > 0 ? Double(characterErrors) / Double(characters) : 0
    }
}
