import Foundation

/// The last lines of the log, for the technician's page: two files in the folder `run`, of which the older is given up when the newer
/// is full.
///
/// The supervisor writes it, line by line as the parts say them; whoever shows it reads both.
struct LogRing {
    private static let fileBytes = 64 * 1024
    private static let shownLines = 300
    private static let longestLine = 500

    private let folder: RunFolder
    private var descriptor: Int32 = -1
    private var written = 0

    init(_ folder: RunFolder) {
        self.folder = folder
    }

    /// Adds whole lines of harmless characters. A disk that takes none costs nothing but this page.
    mutating func add(_ lines: [String]) {
        if descriptor < 0 || written > Self.fileBytes { turn() }
        guard descriptor >= 0, !lines.isEmpty else { return }
        let text = lines.map { $0.prefix(Self.longestLine) + "\n" }.joined()
        var bytes = Array(text.utf8)
        let count = write(descriptor, &bytes, bytes.count)
        written += max(count, 0)
    }

    private mutating func turn() {
        if descriptor >= 0 { close(descriptor) }
        rename(folder.log, folder.olderLog)
        descriptor = open(folder.log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        written = 0
    }

    static func lines(_ folder: RunFolder) -> [String] {
        let text = [folder.olderLog, folder.log]
            .map { String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self) }.joined()
        return text.split(separator: "\n").suffix(shownLines).map(String.init)
    }
}
