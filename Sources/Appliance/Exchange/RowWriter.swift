import Enforcement
import Foundation
import ParkAPI

/// How rows are exported.
package enum ExportFormat: String, CaseIterable, Sendable {
    case csv
    /// One object a line.
    case json
}

/// Writes rows as JSON lines or as CSV with a header.
package struct RowWriter {
    private let format: ExportFormat
    private let writer: LineWriter
    package private(set) var count = 0

    package init(format: ExportFormat, writer: LineWriter) {
        self.format = format
        self.writer = writer
    }

    package mutating func write<Row: ExportRow>(_ row: Row) throws {
        let json = try JSONEncoder.sorted.encode(row)
        if format == .json {
            try writer.write(String(decoding: json, as: UTF8.self))
        } else {
            let object = try JSONValue(json)
            if count == 0 { try writer.write(Row.columns.joined(separator: ",")) }
            try writer.write(Row.columns.map { try cell(object[$0]) }.joined(separator: ","))
        }
        count += 1
    }

    /// One cell (RFC 4180). A text that a spreadsheet would run as a formula gets a leading apostrophe.
    private func cell(_ value: JSONValue?) throws -> String {
        guard let value, value != .null else { return "" }
        guard var text = value.string else { return try value.text() }
        if let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

/// A row that can be exported, with its columns in the order of a CSV file.
package protocol ExportRow: Encodable {
    static var columns: [String] { get }
}

extension ListedPassage: ExportRow {
    package static let columns = [
        "client_id", "recorded_at", "checkpost", "plate", "text", "raw", "vehicle_type", "confidence", "origin",
        "clock_state", "matched", "counterpart", "violation", "corrected", "withdrawn", "photo_sha256", "acted_by",
        "sync_state", "travel", "speed_at_post_kmh",
    ]
}

extension ListedViolation: ExportRow {
    package static let columns = [
        "id", "kind", "plate", "text", "vehicle_type", "entry_time", "exit_time", "travel_time_minutes",
        "threshold_minutes", "calculated_speed_kmh", "speed_limit_kmh", "tolerance_kmh", "tolerance_percent",
        "distance_km",
        "implausible", "state", "exempt_reason", "outcome",
    ]
}
