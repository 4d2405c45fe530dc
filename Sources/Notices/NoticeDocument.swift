import Enforcement
import Foundation
import Pages
import Paper

/// A notice as it is handed over: a file with a page in each language, or what a receipt printer is sent.
package struct NoticeDocument: Sendable {
    /// Gives a picture as the paper takes it; nil for one that can't be shown.
    package typealias Shown = @Sendable (Notice.Picture) -> PaperPicture?

    private let notice: Notice
    private let texts: Texts
    private let picture: Shown

    /// - Parameter texts: of the reader's language.
    package init(_ notice: Notice, _ texts: Texts, picture: @escaping Shown) {
        self.notice = notice
        self.texts = texts
        self.picture = picture
    }

    /// A page in each language, the reader's own first.
    ///
    /// - Parameter other: the texts of the other language.
    /// - Throws: `PaperError`.
    package func pdf(and other: Texts) throws(PaperError) -> Data {
        let pages = [texts, other].map { NoticePaper(notice: notice, texts: $0, picture: picture) }
        return try document(Array(pages.map { $0.blocks(pictureHeightMm: 80) }.joined(separator: [.page]))).pdf(on: .a4)
    }

    /// What a receipt printer is sent, in one language.
    ///
    /// - Throws: `PaperError`.
    package func receipt(on format: PaperFormat) throws(PaperError) -> [UInt8] {
        let paper = NoticePaper(notice: notice, texts: texts, picture: picture)
        return ReceiptCommands.bytes(of: try document(paper.blocks(pictureHeightMm: 60)).raster(on: format))
    }

    private func document(_ blocks: [PaperDocument.Block]) -> PaperDocument {
        PaperDocument(
            title: notice.number, language: texts.language,
            writtenAt: Date(timeIntervalSince1970: Double(notice.writtenAt.milliseconds) / 1000), blocks: blocks,
            foot: notice.number,
            number: { [texts] in texts.digits("\($0) / \($1)") })
    }
}
