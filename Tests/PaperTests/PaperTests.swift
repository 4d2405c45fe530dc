import Foundation
import Testing

@testable import Paper

@Suite("A document on paper", .timeLimit(.minutes(2)))
struct PaperTests {
    private static let facts = PaperTable(
        columns: [.init(), .init(share: 2)],
        rows: [["Plate", .bold("BA 1 CHA 1234")], ["नम्बर", "बा १ च १२३४"], ["Speed", "51.4 km/h" + .bold("!")]])

    private static func document(_ blocks: [PaperDocument.Block], language: String = "ne") -> PaperDocument {
        PaperDocument(
            title: "Notice 7", language: language, writtenAt: Date(timeIntervalSince1970: 1_764_000_000),
            blocks: blocks,
            foot: "BNP-A")
    }

    private static func photo() throws -> Data {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/samples/drive/BNP-A/20261121T061436.349Z.jpg").standardized
        return try Data(contentsOf: file)
    }

    private static func picture(part: PaperPicture.Part? = nil) throws -> PaperPicture {
        try PaperPicture(.file(try photo()), width: 960, height: 540, part: part, caption: "BNP-A, 11:45:12")
    }

    /// From black on the left to white on the right.
    private static func shades(width: Int = 256, height: Int = 64) throws -> PaperPicture {
        try PaperPicture(
            .gray((0..<width * height).map { UInt8($0 % width * 255 / (width - 1)) }), width: width, height: height)
    }

    @Test func `becomes a PDF with its text in it, Devanagari as well`() throws {
        let document = Self.document([
            .title("औसत गतिको सूचना"), .table(Self.facts), .rule, .paragraph("क्षेत्र"), .signatures(["Ranger", "Driver"]),
        ])
        let pdf = try document.pdf(on: .a4)
        #expect(pdf.starts(with: Data("%PDF-".utf8)))
        let file = try PDFFile(pdf)
        #expect(file.pages.count == 1 && file.title == "Notice 7" && file.writtenAt.hasPrefix("2025-11-24T16:00:00"))
        for part in ["BA 1 CHA 1234", "51.4 km/h!", "Driver", "BNP-A", "१२३४"] {
            #expect(file.pages[0].contains(part), "\(file.pages)")
        }
    }

    @Test func `takes a JPEG as the camera gave it, once however often it is shown`() throws {
        let photo = try Self.photo()
        let part = PaperPicture.Part(x: 300, y: 200, width: 200, height: 80)
        let pdf = try Self.document([
            .pictures([try Self.picture(), try Self.picture(part: part)], heightMm: 60)
        ]).pdf(on: .a4)
        let first = try #require(pdf.range(of: photo))
        #expect(pdf.range(of: photo, in: first.upperBound..<pdf.endIndex) == nil)
        #expect(pdf.count < photo.count + 60_000)
        #expect(try PDFFile(pdf).pages[0].contains("BNP-A, 11:45:12"))
    }

    @Test func `goes on on another page, below the table's header again, and each page has its number`() throws {
        let rows = (1...120).map { [PaperText("row \($0)"), "word"] }
        let table = PaperTable(columns: [.init(), .init(share: 1, .trailing)], header: ["Number", "What"], rows: rows)
        var document = Self.document([.heading("Rows"), .table(table)])
        document.number = { "page \($0) of \($1)" }
        let pages = try PDFFile(try document.pdf(on: .a4)).pages
        #expect(pages.count == 3)
        for (index, page) in pages.enumerated() {
            #expect(page.contains("Number") && page.contains("page \(index + 1) of 3"))
        }
        #expect((1...120).allSatisfy { number in pages.count { $0.contains("row \(number) ") } == 1 })
    }

    @Test func `leaves no heading alone at the foot of a page`() throws {
        for count in 40..<60 {
            let rows = (0..<count).map { [PaperText("line \($0)")] }
            let pages = try PDFFile(
                try Self.document([
                    .table(PaperTable(columns: [.init()], rows: rows)), .heading("Heading"), .paragraph("what follows"),
                ]).pdf(on: .a4)
            ).pages
            #expect(pages.contains { $0.contains("Heading") && $0.contains("what follows") }, "\(count)")
        }
    }

    @Test func `breaks a paragraph that is longer than a page`() throws {
        let text = (1...3000).map { "w\($0)" }.joined(separator: " ")
        let pages = try PDFFile(try Self.document([.paragraph(PaperText(text))]).pdf(on: .a4)).pages
        #expect(pages.count > 1)
        let words = pages.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("w") }
        #expect(words.map(String.init) == (1...3000).map { "w\($0)" })
    }

    @Test func `says what can't be put on it`() throws {
        let long = PaperText(String(repeating: "word ", count: 3000))
        #expect(throws: PaperError.tooHigh) {
            try Self.document([.table(PaperTable(columns: [.init(), .init()], rows: [[long]]))]).pdf(on: .a4)
        }
        let damaged = try PaperPicture(.file(Data("\u{89}PNG no".utf8)), width: 10, height: 10)
        #expect(throws: PaperError.badPicture) { try Self.document([.pictures([damaged], heightMm: 60)]).pdf(on: .a4) }
        #expect(throws: PaperError.badPicture) { try PaperPicture(.gray([0, 1]), width: 10, height: 10) }
        #expect(throws: PaperError.badPicture) { try PaperPicture(.gray([]), width: 0, height: 10) }
        // A printer can't be given a JPEG.
        #expect(throws: PaperError.badPicture) {
            try Self.document([.pictures([try Self.picture()], heightMm: 60)]).raster(on: .roll58)
        }
        #expect(throws: PaperError.tooLong(pages: 501)) {
            try Self.document((0..<501).flatMap { _ in [.paragraph("."), .space(mm: 250)] }).pdf(on: .a4)
        }
        #expect(throws: PaperError.tooHigh) {
            try Self.document((0..<20).map { _ in .space(mm: 100) }).raster(on: .roll80)
        }
    }

    @Test func `is not written with boxes in place of letters`() throws {
        #expect(throws: PaperError.noFont("\u{10FFFD}")) {
            try TextContext(language: "ne", fontPoints: 9, isPrinted: false, letters: "\u{10FFFD}")
        }
        // What somebody typed into a note holds up nothing.
        #expect(throws: Never.self) { try Self.document([.paragraph("a\0b \u{10FFFD}")]).pdf(on: .a4) }
    }

    @Test(arguments: [(PaperFormat.roll58, 384), (.roll80, 576)])
    func `fits a roll, as long as what stands on it`(format: PaperFormat, dots: Int) throws {
        let short = try Self.document([.paragraph("one line")]).raster(on: format)
        let long = try Self.document([.paragraph("one line"), .table(Self.facts)]).raster(on: format)
        #expect(short.width == dots && long.width == dots && long.height > 2 * short.height)
        #expect(short.rows.count == dots / 8 * short.height)
        #expect(short.rows.contains { $0 != 0 })
    }

    @Test func `prints shades as patterns, as dark as they are`() throws {
        let raster = try Self.document([.pictures([try Self.shades()], heightMm: 200)]).raster(on: .roll58)
        func black(_ columns: Range<Int>) -> Double {
            let rows = 10..<raster.height - 10
            let count = rows.reduce(0) { sum, y in sum + columns.count { raster.isBlack(x: $0, y: y) } }
            return Double(count) / Double(columns.count * rows.count)
        }
        #expect(black(0..<8) > 0.9 && black(376..<384) < 0.1)
        #expect(abs(black(188..<196) - 0.5) < 0.1)
    }

    @Test func `stands in the commands of a receipt printer dot by dot`() throws {
        let raster = try Self.document([.table(Self.facts), .space(mm: 40)]).raster(on: .roll58)
        var bytes = ReceiptCommands.bytes(of: raster)[...]
        #expect(bytes.prefix(2) == [0x1B, 0x40])
        bytes = bytes.dropFirst(2)
        var rows: [UInt8] = []
        while bytes.prefix(4) == [0x1D, 0x76, 0x30, 0] {
            let head = Array(bytes.dropFirst(4).prefix(4))
            let size = (Int(head[0]) + Int(head[1]) * 256) * (Int(head[2]) + Int(head[3]) * 256)
            rows += bytes.dropFirst(8).prefix(size)
            bytes = bytes.dropFirst(8 + size)
        }
        #expect(rows == raster.rows)
        #expect(Array(bytes) == [0x1B, 0x64, 4, 0x1D, 0x56, 0x42, 0])
    }

    @Test func `is the same file on every thread`() async throws {
        let document = Self.document([.title("सूचना"), .table(Self.facts), .pictures([try Self.picture()], heightMm: 50)])
        let files = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 { group.addTask { try document.pdf(on: .a4) } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1.count) }
        }
        #expect(files.count == 1)
    }
}
