import Foundation
import Recognition

/// Checks that the models in use load, and that they are those that were shipped or taken into use.
package struct ModelCheck {
    /// What is known of one model.
    package struct Finding: Equatable {
        /// Nil for a model that is missing.
        package var hash: String?
        package var name: String
        package var state: String
        package var isWrong = false
    }

    package let findings: [Finding]

    /// Whether a model is missing, doesn't load, or is neither as shipped nor taken into use.
    package var isWrong: Bool { findings.contains(where: \.isWrong) }

    package init(_ shelf: ModelShelf) {
        // A line of the table is a SHA-256 and the file's name.
        let table = try? String(contentsOf: shelf.folder.appendingPathComponent("MODEL.md"), encoding: .utf8)
        let lines = (table ?? "").split(whereSeparator: \.isNewline)
        let shipped = lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.count == 2 }
        let used = shelf.entries().filter(\.isUsed)
        let found = used.map { entry in
            let hashes = shipped.filter { $0[1].hasPrefix(entry.name + ".") }.map {
                String($0[0].prefix(entry.hash.count))
            }
            return Self.finding(entry, on: shelf, shipped: hashes)
        }
        let missing = ModelShelf.names.filter { name in !used.contains { $0.name == name } }
        findings =
            found
            + missing.map {
                Finding(name: $0, state: "is not in \(shelf.folder.path): what it is for isn't done", isWrong: true)
            }
    }

    private static func finding(_ entry: ModelShelf.Entry, on shelf: ModelShelf, shipped: [String]) -> Finding {
        var finding = Finding(hash: entry.hash, name: entry.name, state: "")
        do {
            try ModelShelf.check(entry.path)
            if shipped.contains(entry.hash) {
                finding.state = "as shipped"
            } else if shelf.wasTaken(entry) {
                finding.state = "taken into use here"
            } else if let known = shipped.first {
                finding.state = "damaged or exchanged: shipped was \(known), and `model use` took no such file"
                finding.isWrong = true
            } else {
                finding.state = "loads; MODEL.md says nothing of it"
            }
        } catch {
            finding.state = "\(error)"
            finding.isWrong = true
        }
        return finding
    }
}
