import Foundation

/// What stands on paper, from top to bottom. It knows nothing of what it is about: `pdf` makes a file of it, `raster` dots for a
/// receipt printer.
///
///     let paper = PaperDocument(title: "Notice 7", language: "ne", writtenAt: date, blocks: [
///         .title("सूचना"), .table(PaperTable(columns: [.init(), .init(share: 2)], rows: [["Plate", "BA 1 CHA 1234"]])),
///         .pictures([entry, exit], heightMm: 60), .signatures(["Ranger", "Driver"]),
///     ])
///     let file = try paper.pdf(on: .a4)
package struct PaperDocument: Sendable {
    package enum Block: Sendable, Equatable {
        case title(PaperText)
        /// Stays on the page of what follows.
        case heading(PaperText)
        case paragraph(PaperText, PaperTable.Alignment = .leading)
        case table(PaperTable)

        /// Beside each other, each at most this high; one below the other on a roll.
        case pictures([PaperPicture], heightMm: Double)

        /// Lines to sign on, with what stands below them.
        case signatures([String])
        case rule
        case space(mm: Double)
    }

    /// In the file's own data.
    package var title: String

    /// `en`, `ne`: letters join as this language wants it.
    package var language: String

    /// In the file's own data.
    package var writtenAt: Date
    package var blocks: [Block]

    /// At the foot of every page, before the page's number.
    package var foot: String?

    /// How a page's number is written; digits may be another script's.
    package var number: @Sendable (_ page: Int, _ of: Int) -> String

    package init(
        title: String, language: String, writtenAt: Date, blocks: [Block], foot: String? = nil,
        number: @escaping @Sendable (_ page: Int, _ of: Int) -> String = { "\($0) / \($1)" }
    ) {
        self.title = title
        self.language = language
        self.writtenAt = writtenAt
        self.blocks = blocks
        self.foot = foot
        self.number = number
    }
}
