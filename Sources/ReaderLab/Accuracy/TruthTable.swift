import Enforcement
import Foundation
import SwiftCSV

/// The true plates of a folder of pictures: a CSV file with the columns file, x, y, w, h, plate, country.
package struct TruthTable {
    package struct Entry {
        package var file: String

        /// Nil in a picture that has no plate.
        package var plate: Plate?

        /// The plate's place in the picture.
        package var box: Box
        package var country: String
    }

    package let entries: [Entry]

    package init(path: String) throws {
        let table: CSV<Named>
        do {
            table = try CSV<Named>(url: URL(fileURLWithPath: path))
        } catch {
            throw AdvisedError(
                "\(path) can't be read as CSV.", hint: "Give a file with the columns file,x,y,w,h,plate,country.")
        }
        for column in ["file", "x", "y", "w", "h", "plate"] where !table.header.contains(column) {
            throw AdvisedError(
                "\(path) has no column \"\(column)\".", hint: "Its columns are to be file,x,y,w,h,plate,country.")
        }
        entries = try table.rows.enumerated().map { index, row in
            func number(_ column: String) throws -> Int {
                let text = (row[column] ?? "").trimmingCharacters(in: .whitespaces)
                guard let value = text.isEmpty ? 0 : Double(text), (-1e6...1e6).contains(value) else {
                    throw AdvisedError(
                        "\(path), plate \(index + 1): \"\(text)\" is no number of pixels for \(column).",
                        hint: "Give the plate's box in pixels, or nothing where there is no plate.")
                }
                return Int(value)
            }
            return Entry(
                file: row["file"] ?? "", plate: PlateNormalizer.normalize(row["plate"] ?? ""),
                box: Box(
                    x: try number("x"), y: try number("y"), width: try number("w"), height: try number("h")),
                country: row["country"] ?? "")
        }
    }
}
