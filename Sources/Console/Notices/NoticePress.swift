import Enforcement
import Foundation
import Pages
import Paper

/// Puts notices on paper, one at a time: each takes tenths of a second and some megabytes, and recording goes first.
actor NoticePress {
    private let host: any ConsoleHost

    init(host: any ConsoleHost) { self.host = host }

    /// A file with a page in each language, the reader's own first.
    ///
    /// - Throws: `PaperError`.
    func pdf(_ notice: Notice, _ texts: Texts) throws -> Data {
        var blocks: [PaperDocument.Block] = []
        for texts in [texts, Texts.of(texts.otherLanguage)] {
            let paper = NoticePaper(notice: notice, texts: texts) { [host] in host.paper($0.bytes, asDots: false) }
            if !blocks.isEmpty { blocks.append(.page) }
            blocks += paper.blocks(pictureHeightMm: 80)
        }
        return try document(notice, texts, blocks).pdf(on: .a4)
    }

    /// What a receipt printer is sent, in one language.
    ///
    /// - Throws: `PaperError`.
    func receipt(_ notice: Notice, _ texts: Texts, on format: PaperFormat) throws -> [UInt8] {
        let paper = NoticePaper(notice: notice, texts: texts) { [host] in host.paper($0.bytes, asDots: true) }
        return ReceiptCommands.bytes(
            of: try document(notice, texts, paper.blocks(pictureHeightMm: 60)).raster(on: format))
    }

    private func document(_ notice: Notice, _ texts: Texts, _ blocks: [PaperDocument.Block]) -> PaperDocument {
        PaperDocument(
            title: notice.number, language: texts.language,
            writtenAt: Date(timeIntervalSince1970: Double(notice.writtenAt.milliseconds) / 1000), blocks: blocks,
            foot: notice.number,
            number: { texts.digits("\($0) / \($1)") })
    }
}
