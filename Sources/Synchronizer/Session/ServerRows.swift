import Enforcement
import Foundation
import Storage

/// The server's rows, as far as the box reads them.
enum ServerRows {
    /// A row by which it is seen later whether the server is still the one that told it; see `SyncEngine.serverWentBack`.
    protocol Marked {
        var id: UUID { get }
    }

    struct Passage: Decodable, Marked {
        var id: UUID
        var client_id: UUID
        var plate_number: String
        var vehicle_type: String
        var checkpost_id: UUID
        var recorded_at: ServerTime
        var source: String?
        var matched_passage_id: UUID?
        var clock_state: String?
        var server_seq: Int64?
        var server_received_at: ServerTime?
    }

    struct Identity: Decodable {
        var id: UUID
        var client_id: UUID
        var matched_passage_id: UUID?
    }

    struct OwnPassage: Decodable, Marked {
        var id: UUID
        var client_id: UUID
        var plate_number: String?
        var matched_passage_id: UUID?
        var server_seq: Int64?
        var recorded_at: ServerTime?
    }

    /// A passage of this post with all that the server keeps of it.
    struct WholePassage: Decodable {
        var id: UUID
        var client_id: UUID
        var plate_number: String
        var plate_number_raw: String?
        var vehicle_type: String
        var recorded_at: ServerTime
        var photo_path: String?
        var sms_client_id: UUID?
        var acted_by: String?
        var confidence: Double?
        var clock_state: String?
    }

    struct Outcome: Decodable {
        var violation_id: UUID
        var outcome_type: String
        var fine_amount: Double?
        var notes: String?
        var recorded_by: UUID?
        var recorded_at: ServerTime
        var acted_by: String?
        var server_seq: Int64?

        /// As the box keeps it; nil for a kind that it doesn't know.
        var outcome: ServerOutcome? {
            guard let kind = Enforcement.Outcome.Kind(rawValue: outcome_type) else { return nil }
            return ServerOutcome(
                violationServerID: violation_id,
                outcome: Enforcement.Outcome(
                    kind: kind, fineAmount: fine_amount.flatMap { $0 >= 0 ? $0 : nil }, notes: notes,
                    recordedBy: author, recordedAt: recorded_at.instant), isNamed: acted_by != nil)
        }

        /// Who acted, as far as the server tells: a client other than ours names nobody.
        var author: String { acted_by ?? "the park's server" }
    }

    struct Change: Decodable {
        var client_id: UUID
        var passage_id: UUID?
        var kind: String
        var server_seq: Int64?
    }

    struct Deletion: Decodable, Marked {
        var id: UUID
        var client_id: UUID
        var sms_client_id: UUID?
        var server_seq: Int64?
    }

    struct Day: Decodable {
        var day: String
        var passages: Int
        var hash: String
    }

    /// A passage of this post as a comparison looks at it.
    struct Compared: Decodable {
        var id: UUID
        var client_id: UUID
        var plate_number: String
        var photo_path: String?
    }

    struct Settled: Decodable {
        var violation_id: UUID
    }

    struct Known: Decodable {
        var id: UUID
    }

    struct PhotoLess: Decodable {
        var client_id: UUID
    }

    struct Sequence: Decodable {
        var id: UUID
        var server_seq: Int64
    }

    struct Violation: Decodable {
        var id: UUID
        var entry_passage_id: UUID
        var exit_passage_id: UUID
        var violation_type: String
        var plate_number: String
        var vehicle_type: String
        var entry_time: ServerTime
        var exit_time: ServerTime
        var calculated_speed_kmh: Double?
        var speed_limit_kmh: Double
        var distance_km: Double
        var tolerance_kmh: Double?
        var tolerance_percent: Double?
        var server_seq: Int64?
        var created_at: ServerTime?
    }

    struct Alert: Decodable {
        var entry_passage_id: UUID
        var plate_number: String
        var vehicle_type: String
        var entry_time: ServerTime
        var expected_exit_by: ServerTime
        var resolved: Bool
        var resolved_at: ServerTime?
        var resolved_by: String?
        var resolved_reason: String?
        var server_seq: Int64?
        var created_at: ServerTime?
    }

    struct Segment: Decodable {
        var id: UUID
        var name: String
        var distance_km: Double
        var max_speed_kmh: Double
        var min_speed_kmh: Double
        var tolerance_kmh: Double?
        var tolerance_percent: Double?
    }

    struct Checkpost: Decodable {
        var id: UUID
        var segment_id: UUID
        var code: String
        var name: String
        var position_index: Int
    }

    struct Profile: Decodable {
        var id: UUID
        var role: String
        var is_active: Bool
        var assigned_checkpost_id: UUID?
    }
}

/// A time as PostgreSQL writes it into JSON.
struct ServerTime: Decodable {
    var instant: Instant

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        // Microseconds are cut to milliseconds; an offset of hours alone (`+00`) gets its minutes.
        let whole = text.suffix(3).first.map { "+-".contains($0) } == true ? text + ":00" : text
        guard let instant = Instant(iso8601: whole) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time: \(text.prefix(40))")
        }
        self.instant = instant
    }
}

extension Plate {
    /// A plate that the server tells: with or without spaces, in either case. Nil for one without letters and digits.
    init?(server text: String) {
        self.init(told: text)
    }
}

extension ServerAnswer {
    /// The rows of a body that is a list, and how many of them make no sense: one of those must not hold up the others.
    func usableRows<Row: Decodable>(_ type: Row.Type = Row.self) throws(CycleEnd) -> (rows: [Row], unreadable: Int) {
        let all = try rows(Lossy<Row>.self)
        let usable = all.compactMap(\.row)
        return (usable, all.count - usable.count)
    }

    private struct Lossy<Row: Decodable>: Decodable {
        let row: Row?

        init(from decoder: any Decoder) throws { row = try? Row(from: decoder) }
    }

    /// The rows of a body that is a list.
    func rows<Row: Decodable>(_ type: Row.Type = Row.self) throws(CycleEnd) -> [Row] {
        do {
            return try JSONDecoder().decode([Row].self, from: body)
        } catch {
            throw CycleEnd("The server's answer makes no sense: \((error as? DecodingError)?.plainText ?? "\(error)").")
        }
    }
}

extension DecodingError {
    /// What is wrong, for a person: `"distance_km" is missing in its first row`.
    var plainText: String {
        switch self {
        case .keyNotFound(let key, let context): "\"\(key.stringValue)\" is missing\(Self.place(context.codingPath))"
        case .valueNotFound(_, let context): "\(Self.name(context)) is empty"
        case .typeMismatch(_, let context):
            context.codingPath.isEmpty ? "it is no list of rows" : "\(Self.name(context)) is of another kind"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is no JSON" : "\(Self.name(context)) can't be read"
        @unknown default: "it can't be read"
        }
    }

    private static func name(_ context: Context) -> String {
        let name = context.codingPath.last { $0.intValue == nil }.map { "\"\($0.stringValue)\"" } ?? "a row"
        return name + place(context.codingPath)
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.first?.intValue.map { " in row \($0 + 1)" } ?? ""
    }
}

/// Why a cycle ended before it was through.
package struct CycleEnd: Error, Sendable, Equatable {
    package var reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
