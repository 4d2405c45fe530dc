import Foundation
import TestKit

extension Dialogue {
    /// The dialogue in a file of `Dialogues`.
    init(named name: String) throws {
        guard let url = Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Dialogues") else {
            throw FormatError(description: "There is no dialogue \(name)")
        }
        try self.init(text: String(contentsOf: url, encoding: .utf8))
    }
}
