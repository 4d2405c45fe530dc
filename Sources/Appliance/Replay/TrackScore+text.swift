import Enforcement
import Storage

/// How a replay did, as programs and people get it.
extension TrackScore: Encodable {
    enum CodingKeys: String, CodingKey {
        case vehicles, right, wrong, waiting, missed, doubled, unrecorded, misses
        case withoutPlate = "without_plate"
        case recordedOfNone = "recorded_of_none"
        case waitingOfNone = "waiting_of_none"
    }

    private struct Miss: Encodable {
        let post: String?
        let plate: String?
        let from: String
        let what: String
        let answer: String?
    }

    package func encode(to encoder: any Encoder) throws {
        let counts = counts
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(counts.vehicles, forKey: .vehicles)
        try container.encode(counts.right, forKey: .right)
        try container.encode(counts.wrong, forKey: .wrong)
        try container.encode(counts.waiting, forKey: .waiting)
        try container.encode(counts.missed, forKey: .missed)
        try container.encode(counts.doubled, forKey: .doubled)
        try container.encode(counts.withoutPlate, forKey: .withoutPlate)
        try container.encode(counts.unrecorded, forKey: .unrecorded)
        try container.encode(counts.recordedOfNone, forKey: .recordedOfNone)
        try container.encode(counts.waitingOfNone, forKey: .waitingOfNone)
        try container.encode(misses, forKey: .misses)
    }

    private var misses: [Miss] {
        let missed = rows.compactMap { row -> Miss? in
            guard let what = row.what else { return nil }
            return Miss(
                post: row.vehicle.post, plate: row.vehicle.plate?.canonical, from: row.vehicle.span.lowerBound.iso8601,
                what: what, answer: row.answer?.canonical)
        }
        return missed
            + others.map {
                Miss(
                    post: $0.post, plate: nil, from: $0.at.iso8601,
                    what: $0.isRecorded ? "recorded, and no vehicle passed" : "for a ranger, and no vehicle passed",
                    answer: $0.plate?.canonical)
            }
    }

    /// The report for people.
    ///
    /// - Parameter room: how many columns a line of a table may have.
    func text(within room: Int?) -> String {
        let counts = counts
        var text =
            "Of \(Wording.count(counts.vehicles, "vehicle")) \(counts.right) recorded right, \(counts.wrong) wrong, "
            + "\(counts.waiting) for a ranger, \(counts.missed) missed; \(counts.doubled) recorded twice. "
            + "Where no vehicle passed: \(counts.recordedOfNone) recorded, \(counts.waitingOfNone) for a ranger."
        if counts.withoutPlate > 0 {
            text += " Of \(counts.withoutPlate) without a plate nothing was recorded of \(counts.unrecorded)."
        }
        let misses = misses
        guard !misses.isEmpty else { return text }
        var table = TextTable([("from", .left), ("post", .left), ("vehicle", .left), ("what", .left), ("read", .left)])
        for miss in misses {
            table.add([miss.from, miss.post ?? "", miss.plate ?? "-", miss.what, miss.answer ?? "-"])
        }
        return text + "\n\n" + table.text(within: room)
    }
}

extension TrackScore.Row {
    /// What was not as it should be; nil where all was.
    fileprivate var what: String? {
        switch end {
        case .right: doubled > 0 ? "recorded \(doubled + 1) times" : nil
        case .wrong: vehicle.plate == nil ? "recorded with a plate that it hasn't" : "wrong plate"
        case .waiting: vehicle.plate == nil ? nil : "for a ranger"
        case .missed: "missed"
        case .unrecorded: nil
        }
    }

    fileprivate var answer: Plate? {
        switch end {
        case .right: vehicle.plate
        case .wrong(let plate): plate
        case .waiting(let plate): plate
        case .missed, .unrecorded: nil
        }
    }
}
