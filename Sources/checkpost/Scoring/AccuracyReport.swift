import Enforcement
import Foundation
import Recognition

/// How well pictures were read, measured against their true plates, each picture alone.
struct AccuracyReport: Encodable {
    /// Whether the answer is the reading that lies on a true plate: a scene holds several vehicles. Otherwise it is the surest one.
    let isByBox: Bool

    /// A reading that overlaps with a true plate's box by this much lies on it.
    private static let onPlate = 0.3

    /// The plates by format.
    private(set) var formats = FormatTally()

    init(isByBox: Bool = false) { self.isByBox = isByBox }

    /// Pictures that were scored, those without a plate and those that can't be read among them.
    private(set) var pictures = 0

    /// True plates in them.
    private(set) var plates = 0

    /// Plates whose likeliest reading is right to the letter, …
    private(set) var exact = 0

    /// … and right when O, Q and 0 are one character, and I and 1.
    private(set) var folded = 0

    /// Plates whose place was found: their box and a found one overlap by half or more (intersection over union).
    private(set) var found = 0

    /// Pictures without a plate, and those of them in which none was seen.
    private(set) var withoutPlate = 0
    private(set) var withoutPlateRight = 0

    /// Pictures that couldn't be decoded.
    private(set) var unreadable = 0

    /// Wrong, missing and additional characters, folded, as a part of the true ones.
    private(set) var characterErrorRate = 0.0

    private(set) var decodeMs = Percentiles()
    private(set) var findMs = Percentiles()
    private(set) var readMs = Percentiles()
    private(set) var totalMs = Percentiles()

    private var characterErrors = 0
    private var characters = 0

    enum CodingKeys: String, CodingKey {
        case pictures, plates, exact, folded, found, formats
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
    mutating func add(_ result: PlateRecognizer.Result?, entries: [TruthTable.Entry]) {
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
            characterErrors += editDistance(LookAlike.folded(answer), LookAlike.folded(truth))
            characters += truth.count
        }
        characterErrorRate = characters > 0 ? Double(characterErrors) / Double(characters) : 0
    }

    /// The report for people.
    func text(name: String) -> String {
        func share(_ count: Int) -> String {
            plates > 0 ? Output.decimal(100 * Double(count) / Double(plates)) + " %" : "-"
        }
        var table = TextTable([("stage", .left), ("median ms", .right), ("95 % ms", .right)])
        for (stage, times) in [("decode", decodeMs), ("find", findMs), ("read", readMs), ("all", totalMs)] {
            table.add([stage, Output.decimal(times.median), Output.decimal(times.percentile95)])
        }
        return """
            \(name): \(pictures) pictures, \(plates) plates
              exact \(share(exact))  folded \(share(folded))  found \(share(found))  \
            character error rate \(Output.decimal(characterErrorRate, 3))
              pictures without a plate: \(withoutPlateRight) of \(withoutPlate) right  unreadable: \(unreadable)
            \(formats.text.map { "\n" + $0 + "\n" } ?? "")
            \(table.text)
            """
    }
}

/// The median and the 95th percentile of measured values.
struct Percentiles: Encodable {
    private var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var median: Double { percentile(0.5) }
    var percentile95: Double { percentile(0.95) }

    /// The value that `share` of all don't exceed (the nearest rank); 0 without values.
    private func percentile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let rank = Int((share * Double(values.count)).rounded(.up))
        return values.sorted()[max(0, min(values.count - 1, rank - 1))]
    }

    enum CodingKeys: String, CodingKey {
        case median
        case percentile95 = "p95"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode((median * 100).rounded() / 100, forKey: .median)
        try container.encode((percentile95 * 100).rounded() / 100, forKey: .percentile95)
    }
}
