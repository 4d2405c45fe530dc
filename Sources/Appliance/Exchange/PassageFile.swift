import Enforcement
import Foundation
import Storage

/// A file of passages: a JSON array, or one object a line.
package enum PassageFile {
    /// Larger files are split by day first.
    static let maximumBytes = 256 << 20

    package static func read(_ path: String) throws -> [Result<ListedPassage, any Error>] {
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
        func row(_ passage: ListedPassage?) -> Result<ListedPassage, any Error> {
            passage.map { .success($0) } ?? .failure(ListedPassage.Problem(description: "it is no passage in JSON"))
        }
        if let rows = try? decoder.decode([Lossy<ListedPassage>].self, from: data) { return rows.map { row($0.value) } }
        return data.split(separator: UInt8(ascii: "\n")).map { row(try? decoder.decode(ListedPassage.self, from: $0)) }
    }
}
