import Foundation
import TestKit
import Testing

/// What poppler reads in a PDF.
struct PDFFile {
    /// The words of each page.
    let pages: [String]
    let title: String
    let writtenAt: String

    init(_ pdf: Data) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "paper-\(UUID()).pdf")
        try pdf.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let path = file.path(percentEncoded: false)
        let text = try OtherProgram.runAndWait("/usr/bin/pdftotext", ["-layout", path, "-"])
        let facts = try OtherProgram.runAndWait("/usr/bin/pdfinfo", ["-isodates", path])
        #expect(text.status == 0 && facts.status == 0, "\(text.output) \(facts.output)")
        pages = text.output.split(separator: "\u{c}").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
        let lines = facts.output.split(separator: "\n")
        func fact(_ name: String) -> String {
            lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
                ?? ""
        }
        title = fact("Title")
        writtenAt = fact("CreationDate")
    }
}
