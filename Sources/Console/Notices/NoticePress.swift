import Foundation
import Notices
import Pages
import Paper

/// Puts notices on paper, one at a time: each takes tenths of a second and some megabytes, and recording goes first.
actor NoticePress {
    private let host: any ConsoleHost

    init(host: any ConsoleHost) { self.host = host }

    /// - Throws: `PaperError`.
    func pdf(_ notice: Notice, _ texts: Texts) throws -> Data {
        try document(notice, texts, asDots: false).pdf(and: Texts.of(texts.otherLanguage))
    }

    /// - Throws: `PaperError`.
    func receipt(_ notice: Notice, _ texts: Texts, on format: PaperFormat) throws -> [UInt8] {
        try document(notice, texts, asDots: true).receipt(on: format)
    }

    private func document(_ notice: Notice, _ texts: Texts, asDots: Bool) -> NoticeDocument {
        NoticeDocument(notice, texts) { [host] in host.paper($0.bytes, asDots: asDots) }
    }
}
