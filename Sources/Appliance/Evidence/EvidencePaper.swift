import Enforcement
import Foundation
import Paper
import Recognition
import Storage

/// An export on paper: the record, both pictures, and the steps. Pictures that are no JPEG or PNG stand beside it as files alone.
struct EvidencePaper {
    let record: EvidenceRecord
    let sides: [EvidenceSide]
    let steps: String
    let at: Instant

    /// - Throws: `PaperError`.
    func pdf() throws -> Data {
        let columns = [PaperTable.Column(share: 2), PaperTable.Column(share: 5)]
        let rows = record.rows.map { [PaperText($0.name.trimmingCharacters(in: .whitespaces)), PaperText($0.value)] }
        var blocks: [PaperDocument.Block] = [
            .title("Evidence of a violation"), .table(PaperTable(columns: columns, rows: rows)), .rule,
        ]
        let pictures = sides.compactMap(picture)
        if !pictures.isEmpty { blocks.append(.pictures(pictures, heightMm: 80)) }
        blocks += steps.components(separatedBy: "\n\n").map(Self.block)
        return try PaperDocument(
            title: "Evidence of the violation \(record.violation)", language: "en",
            writtenAt: Date(timeIntervalSince1970: Double(at.milliseconds) / 1000), blocks: blocks,
            foot: "Violation \(record.violation)"
        ).pdf(on: .a4)
    }

    /// A part of the steps: a line that is underlined is a heading.
    private static func block(_ part: String) -> PaperDocument.Block {
        let lines = part.components(separatedBy: "\n")
        guard lines.count == 2, lines[1].allSatisfy({ "=-".contains($0) }) else { return .paragraph(PaperText(part)) }
        return .heading(PaperText(lines[0]))
    }

    private func picture(_ side: EvidenceSide) -> PaperPicture? {
        guard let file = side.picture, ["jpg", "png"].contains(PictureType(of: file).fileExtension),
            let size = try? ImageDecoder.size(of: file)
        else {
            return nil
        }
        let caption = "\(side.end.rawValue): \(side.checkpost), \(side.time.iso8601)"
        return try? PaperPicture(
            .file(file), width: size.width, height: size.height, caption: PaperText(caption))
    }
}
