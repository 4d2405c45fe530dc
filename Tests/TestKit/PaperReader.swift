import Foundation

/// What poppler reads in a PDF, as somebody who searches it would find it.
package enum PaperReader {
    /// The words of each page, a blank between two of them.
    package static func pages(of pdf: Data) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "paper-\(UUID()).pdf")
        try pdf.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let read = try OtherProgram.runAndWait(
            "/usr/bin/pdftotext", ["-layout", file.path(percentEncoded: false), "-"])
        guard read.status == 0 else { throw Unreadable(output: read.output) }
        return read.output.split(separator: "\u{c}").map { page in
            page.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        }
        .filter { !$0.isEmpty }
    }

    private struct Unreadable: Error { var output: String }
}
