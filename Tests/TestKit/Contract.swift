import Foundation

/// The cases in `Tests/Contract`, which hold the box's rules and the server's to the same answers.
package enum Contract {
    package struct Judging: Decodable, Sendable {
        package var segments: [String: Segment]
        package var cases: [Case]
    }

    package struct Segment: Decodable, Sendable {
        package var distance_km: Double
        package var max_speed_kmh: Double
        package var min_speed_kmh: Double
        package var tolerance_kmh: Double
        package var tolerance_percent: Double
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

    package static func judging() throws -> Judging { try decode("judging.json") }
    package static func texts() throws -> Texts { try decode("sms.json") }

    static func decode<Cases: Decodable>(_ name: String) throws -> Cases {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Contract").appendingPathComponent(name)
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }
}
