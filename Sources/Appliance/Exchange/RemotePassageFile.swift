import Enforcement
import Foundation
import Storage

/// A file of passages: a JSON array, or one object a line.
package enum RemotePassageFile {
    /// Larger files are split by day first.
    static let maximumBytes = 256 << 20

    package struct Row: Decodable {
        var clientID: UUID?
        var plate: String?
        /// The plate with its spaces.
        var text: String?
        var checkpost: String?
        var recordedAt: String?
        var vehicleType: String?
        var clockState: String?
        var isWithdrawn: Bool?
        var photoSHA256: String?
        var postReviews: PostReviewsRow?

        enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case plate, text, checkpost
            case recordedAt = "recorded_at"
            case vehicleType = "vehicle_type"
            case clockState = "clock_state"
            case isWithdrawn = "withdrawn"
            case photoSHA256 = "photo_sha256"
            case postReviews = "post_reviews"
        }

        /// No box recorded before.
        private static let earliest = Instant(milliseconds: 1_577_836_800_000)

        /// How far the other box's clock may be ahead.
        private static let clockTolerance = TimeSpan.hours(24)

        struct Problem: Error, CustomStringConvertible {
            let description: String
        }

        /// - Parameter other: the code of the post at the other end.
        func passage(of other: String, at now: Instant) throws -> RemotePassage {
            guard let clientID else { throw Problem(description: "client_id is missing or no UUID") }
            guard let plate = plate.flatMap(PlateNormalizer.normalize) else {
                throw Problem(description: "plate is missing or none")
            }
            // The post that read it knows where its spaces stand.
            let spelled = text.flatMap(Plate.init(told:)).flatMap { $0 == plate ? $0 : nil } ?? plate
            guard let checkpost, !checkpost.isEmpty else { throw Problem(description: "checkpost is missing") }
            guard checkpost == other else {
                throw Problem(description: "it is of \(checkpost), and the post at the other end is \(other)")
            }
            guard let time = recordedAt.flatMap(Instant.init(iso8601:)) else {
                throw Problem(description: "recorded_at is no time such as 2026-11-21T04:15:30.250Z")
            }
            guard time > Self.earliest, time < now + Self.clockTolerance else {
                throw Problem(description: "recorded_at is \(time.iso8601), which can't be")
            }
            return RemotePassage(
                clientID: clientID, plate: spelled,
                vehicleType: try value(vehicleType, "vehicle_type") ?? .other, checkpostCode: checkpost,
                recordedAt: time, clockState: try value(clockState, "clock_state") ?? .untrusted)
        }

        private func value<Value: RawRepresentable & CaseIterable>(_ text: String?, _ name: String) throws -> Value?
        where Value.RawValue == String {
            guard let text else { return nil }
            if let value = Value(rawValue: text) { return value }
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(description: "\(name) is \"\(text)\", and not one of \(allowed)")
        }
    }

    /// A row, or why it is none: one bad row costs nothing to the others.
    private struct Lossy: Decodable {
        let row: Result<Row, any Error>

        init(from decoder: any Decoder) throws {
            row = Result { try Row(from: decoder) }.mapError { _ in Self.problem }
        }

        static let problem = Row.Problem(description: "it is no passage in JSON")
    }

    package static func read(_ path: String) throws -> [Result<Row, any Error>] {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
        guard let size, size <= maximumBytes, var data = FileManager.default.contents(atPath: path) else {
            throw AdvisedError("\(path) can't be read, or is larger than 256 MB.", hint: "Check the path.")
        }
        // What some editors put before everything.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if data.starts(with: byteOrderMark) { data = Data(data.dropFirst(byteOrderMark.count)) }
        let blank = Set(" \t\r\n".utf8)
        if let first = data.first(where: { !blank.contains($0) }), !"{[".utf8.contains(first) {
            throw AdvisedError(
                "\(path) holds no JSON.",
                hint: "At the other post `checkpost export passages --format json` writes what can be taken in.")
        }
        let decoder = JSONDecoder()
        if let rows = try? decoder.decode([Lossy].self, from: data) { return rows.map(\.row) }
        return data.split(separator: UInt8(ascii: "\n")).map { line in
            (try? decoder.decode(Lossy.self, from: line))?.row ?? .failure(Lossy.problem)
        }
    }
}
