/// Why nothing can be put on paper.
package enum PaperError: Error, Equatable, CustomStringConvertible {
    /// No font of this machine has these letters: paper with boxes in their place is worth nothing.
    case noFont(String)

    /// A picture that is damaged, too large, or not decoded where it has to be.
    case badPicture

    /// Something that has to stay together is higher than a page.
    case tooHigh
    case tooLong(pages: Int)

    /// What the drawing library says.
    case drawing(String)

    package var description: String {
        switch self {
        case .noFont(let text):
            "no font on this machine has the letters of \"\(text.prefix(40))\": install the Debian package fonts-noto-core"
        case .badPicture: "a picture can't be put on paper: it is damaged, or not of the kind that the paper takes"
        case .tooHigh: "a row or a picture is higher than a page: shorten its text"
        case .tooLong(let pages):
            "it has \(pages) pages, and at most \(PageComposer.mostPages) are written: ask for less"
        case .drawing(let reason): "it can't be drawn: \(reason)"
        }
    }
}
