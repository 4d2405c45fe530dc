import Enforcement
import Foundation

/// Folders of pictures with their true plates, to measure a reader on.
package struct LabelledSet {
    package struct Picture {
        package var path: String

        /// The true plates, folded; empty in a picture without one.
        package var truths: Set<String>

        /// Where the plates are; none where the table doesn't say.
        var boxes: [Box] = []
    }

    /// More pictures than this are not measured in one call.
    static let maximumPictures = 20_000

    package let pictures: [Picture]

    /// - Parameter folders: each with its truth.csv; one that isn't there is named and skipped.
    /// - Throws: `AdvisedError` when none is there.
    package init(_ folders: [String], limit: Int? = nil, tell: LabEvent.Teller) throws {
        var found: [Picture] = []
        for folder in folders {
            let table = folder + "/truth.csv"
            guard FileManager.default.fileExists(atPath: table) else {
                tell(.noted("\(folder) is skipped: there is no truth.csv in it."))
                continue
            }
            let files = Dictionary(grouping: try TruthTable(path: table).entries, by: \.file)
            let own = files.sorted { $0.key < $1.key }.map { file, entries in
                Picture(
                    path: "\(folder)/\(file)",
                    truths: Set(entries.compactMap { $0.plate.map { LookAlike.folded($0.compact) } }),
                    boxes: entries.map(\.box).filter { $0.area > 0 })
            }
            found += own.prefix(limit ?? own.count)
        }
        guard !found.isEmpty else {
            throw AdvisedError(
                "There is nothing to measure on.",
                hint: "Name folders of pictures with truth.csv (file,x,y,w,h,plate,country).")
        }
        pictures = Array(found.prefix(Self.maximumPictures))
    }
}
