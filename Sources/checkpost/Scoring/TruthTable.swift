import Enforcement
import Foundation
import SwiftCSV

/// The true plates of a folder of pictures: a CSV file with the columns file, x, y, w, h, plate, country.
struct TruthTable {
    struct Entry {
        var file: String

        /// Nil in a picture that has no plate.
        var plate: Plate?

        /// The plate's place in the picture.
        var box: Box
        var country: String
    }

    let entries: [Entry]

    init(path: String) throws {
        let table: CSV<Named>
        do {
            table = try CSV<Named>(url: URL(fileURLWithPath: path))
        } catch {
            throw CommandError(
                "\(path) can't be read as CSV.", hint: "Give a file with the columns file,x,y,w,h,plate,country.")
        }
        for column in ["file", "x", "y", "w", "h", "plate"] where !table.header.contains(column) {
            throw CommandError(
                "\(path) has no column \"\(column)\".", hint: "Its columns are to be file,x,y,w,h,plate,country.")
        }
        entries = table.rows.map { row in
            func number(_ column: String) -> Int { Double(row[column] ?? "").map { Int($0) } ?? 0 }
            return Entry(
                file: row["file"] ?? "", plate: PlateNormalizer.normalize(row["plate"] ?? ""),
                box: Box(x: number("x"), y: number("y"), width: number("w"), height: number("h")),
                country: row["country"] ?? "")
        }
    }
}
