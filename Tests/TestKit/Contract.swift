import Foundation

/// The cases in `Tests/Contract`, which hold the box's rules and the server's to the same answers.
package enum Contract {
    package struct Judging: Decodable, Sendable {
        package var segments: [String: Segment]
        package var cases: [Case]
        package var walks: [Walk]
    }

    /// What becomes of all passages of a vehicle, whatever order they come in.
    package struct Walk: Decodable, Sendable, CustomStringConvertible {
        package var name: String
        package var segment: String
        package var passages: [Passage]
        /// They go when all are there.
        package var withdrawn: [Int]?
        /// Entry and exit of pairs that come first, and have an outcome of a ranger.
        package var kept: [[Int]]?
        package var pairs: [[Int]]
        package var violations: [Finding]
        package var description: String { name }

        package var keptPassages: Set<Int> { Set((kept ?? []).joined()) }

        /// Every order in which the passages can arrive, those of kept pairs first.
        package var orders: [[Passage]] {
            let first = passages.filter { keptPassages.contains($0.id) }
            return Contract.orders(passages.filter { !keptPassages.contains($0.id) }).map { first + $0 }
        }
    }

    /// A violation by its entry: `[1, "overstay"]`.
    package struct Finding: Decodable, Sendable, Hashable {
        package var entry: Int
        package var kind: String

        package init(entry: Int, kind: String) {
            self.entry = entry
            self.kind = kind
        }

        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            entry = try values.decode(Int.self)
            kind = try values.decode(String.self)
        }
    }

    static func orders<Element>(_ elements: [Element]) -> [[Element]] {
        guard !elements.isEmpty else { return [[]] }
        return elements.indices.flatMap { index in
            var others = elements
            let first = others.remove(at: index)
            return orders(others).map { [first] + $0 }
        }
    }

    package struct Segment: Decodable, Sendable {
        package var distance_km: Double
        package var max_speed_kmh: Double
        package var min_speed_kmh: Double
        package var tolerance_kmh: Double
        package var tolerance_percent: Double
        package var type_speeds_kmh: [String: Double]?
        package var hour_limits: [HourLimit]?

        /// As JSON, as the server has them.
        package var hours: String {
            get throws { String(decoding: try JSONEncoder().encode(hour_limits ?? []), as: UTF8.self) }
        }
    }

    package struct HourLimit: Codable, Sendable {
        package var from: String
        package var until: String
        package var type: String?
        package var kmh: Double?
    }

    package struct Case: Decodable, Sendable, CustomStringConvertible {
        package var name: String
        package var segment: String
        package var before: [Passage]
        package var passage: Passage
        package var match: [Int]?
        package var violation: Violation?
        package var description: String { name }
    }

    package struct Passage: Decodable, Sendable {
        package var id: Int
        package var post: String
        package var at: String
        package var plate: String
        package var clock: String
        package var type: String

        /// Whether it is a text that has no upload.
        package var text: Bool?

        /// Whether it came by a text; its upload may have come.
        package var sms: Bool?

        /// Which way it went; nil where nobody knows.
        package var travel: String?

        package var isOfText: Bool { text == true || sms == true }

        /// 7 is `00000000-0000-4000-8000-000000000007`, and the id of a text is of version 5.
        package var clientID: String {
            let digits = String(id)
            return "00000000-0000-\(text == true ? 5 : 4)000-8000-" + String(repeating: "0", count: 12 - digits.count)
                + digits
        }
    }

    package struct Violation: Decodable, Sendable, Equatable {
        package var kind: String
        package var plate: String
        package var type: String
        package var speed_limit_kmh: Double
        package var threshold_minutes: Double
        package var calculated_speed_kmh: Double?

        package init(
            kind: String, plate: String, type: String, limit: Double, threshold: Double, speed: Double?
        ) {
            self.kind = kind
            self.plate = plate
            self.type = type
            speed_limit_kmh = limit
            threshold_minutes = Self.rounded(threshold)
            calculated_speed_kmh = speed.map(Self.rounded)
        }

        /// To the server's four decimals.
        private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    }

    package struct Texts: Decodable, Sendable {
        package var cases: [Text]
    }

    package struct Text: Decodable, Sendable, CustomStringConvertible {
        package var name: String
        package var text: String
        package var read: Reading?
        package var description: String { name }
    }

    package struct Reading: Decodable, Sendable, Equatable {
        package var plate: String
        package var type: String
        package var seconds: Int64

        package init(plate: String, type: String, seconds: Int64) {
            self.plate = plate
            self.type = type
            self.seconds = seconds
        }
    }

    package struct SignedTexts: Decodable, Sendable {
        /// 64 hexadecimal digits.
        package var key: String
        package var cases: [SignedText]
    }

    package struct SignedText: Decodable, Sendable {
        package var name: String
        package var text: String
        package var read: [SignedReading]?
    }

    /// A passage as the V1 text that tells it, and the state of its clock.
    package struct SignedReading: Decodable, Sendable, Equatable {
        package var v1: String
        package var clock: String

        package init(v1: String, clock: String) {
            self.v1 = v1
            self.clock = clock
        }
    }

    package static func judging() throws -> Judging { try decode("judging.json") }
    package static func texts() throws -> Texts { try decode("sms.json") }
    package static func signedTexts() throws -> SignedTexts { try decode("signed_sms.json") }

    static func decode<Cases: Decodable>(_ name: String) throws -> Cases {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Contract").appendingPathComponent(name)
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }
}
