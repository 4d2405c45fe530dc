import Enforcement
import Foundation
import SwiftCSV

/// The vehicles that are known to have passed in a replay: a CSV file with the columns plate, first_frame, last_frame and, for two
/// checkposts, post. A vehicle without a readable plate has a row without one.
package struct TrackTable {
    package let vehicles: [TrueVehicle]

    static let columns = "plate,first_frame,last_frame"

    /// Whether a truth table names vehicles, and no pictures that are scored alone.
    package static func isMeant(by path: String) throws -> Bool {
        let header = try read(path).header
        return !header.contains("file") && header.contains("first_frame")
    }

    /// - Parameter time: of a frame's name, or of a time as it is written.
    package init(path: String, time: (String) -> Instant?) throws {
        let table = try Self.read(path)
        for column in ["plate", "first_frame", "last_frame"] where !table.header.contains(column) {
            throw AdvisedError(
                "\(path) has no column \"\(column)\".",
                hint: "Its columns are to be \(Self.columns), and post.")
        }
        // An empty line says nothing.
        let rows = table.rows.enumerated().filter { !$0.element.values.allSatisfy(\.isEmpty) }
        vehicles = try rows.map { index, row in
            func instant(_ column: String) throws -> Instant {
                let text = (row[column] ?? "").trimmingCharacters(in: .whitespaces)
                guard let found = time(text) else {
                    throw AdvisedError(
                        "\(path), vehicle \(index + 1): \"\(text)\" says no time for \(column).",
                        hint: "Give the name of a frame with its time in it, or a time like 2026-11-21T04:15:30Z.")
                }
                return found
            }
            let (first, last) = (try instant("first_frame"), try instant("last_frame"))
            guard first <= last else {
                throw AdvisedError(
                    "\(path), vehicle \(index + 1): its last frame is before its first.", hint: "Exchange the two.")
            }
            let written = (row["plate"] ?? "").trimmingCharacters(in: .whitespaces)
            let plate = PlateNormalizer.normalize(written)
            guard written.isEmpty || plate != nil else {
                throw AdvisedError(
                    "\(path), vehicle \(index + 1): \"\(written)\" is no plate.",
                    hint: "Leave it out for a vehicle without a readable one.")
            }
            let post = (row["post"] ?? "").trimmingCharacters(in: .whitespaces)
            return TrueVehicle(post: post.isEmpty ? nil : post, plate: plate, span: first...last)
        }
    }

    private static func read(_ path: String) throws -> CSV<Named> {
        guard FileManager.default.fileExists(atPath: path) else {
            throw AdvisedError("There is no file \(path).", hint: "Name a table of true plates or vehicles.")
        }
        do {
            return try CSV<Named>(url: URL(fileURLWithPath: path))
        } catch {
            throw AdvisedError("\(path) can't be read as CSV.", hint: "Give a file with the columns \(columns).")
        }
    }
}
