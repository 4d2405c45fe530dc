import Foundation

/// Remembers on disk which of several ports was the modem's, so that the next start asks that one first.
package struct PortMemoryFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The path of the port; nil when none is known.
    package func read() -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 4096 else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmed
        return text.isEmpty ? nil : text
    }

    package func write(_ port: String) {
        // Without the note the next start asks the ports in turn, which costs seconds.
        if read() != port { _ = DurableFile.write(port + "\n", to: path) }
    }
}
