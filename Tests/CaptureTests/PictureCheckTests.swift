import Foundation
import Testing

@testable import Capture

@Suite("A look at a picture's structure", .timeLimit(.minutes(10)))
struct PictureCheckTests {
    @Test func `takes a whole JPEG, with something behind its end too`() {
        #expect(PictureCheck.of(Pictures.jpeg()) == .complete)
        #expect(PictureCheck.of(Pictures.jpeg() + Data(repeating: 0, count: 100)) == .complete)
    }

    @Test func `finds every cut of a JPEG, though a thumbnail's end marker is in it`() {
        let whole = Pictures.jpeg()
        for length in 3..<whole.count {
            guard case .truncated = PictureCheck.of(whole.prefix(length)) else {
                Issue.record("\(length) of \(whole.count) bytes count as \(PictureCheck.of(whole.prefix(length)))")
                continue
            }
        }
    }

    @Test func `finds the end of a JPEG that comes byte by byte`() {
        let whole = Pictures.jpeg()
        var walk = JPEGWalk(start: 0)
        for length in 2...whole.count {
            let end = (whole.prefix(length) as Data).withUnsafeBytes { walk.advance(over: $0) }
            #expect(end == (length == whole.count ? whole.count : nil))
        }
    }

    @Test func `takes whole PNG and PNM pictures and finds those cut off`() throws {
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let end = Data([0, 0, 0, 0]) + Data("IEND".utf8) + Data([1, 2, 3, 4])
        let chunk = Data([0, 0, 0, 2]) + Data("IDAT".utf8) + Data([9, 9, 1, 2, 3, 4])
        #expect(PictureCheck.of(png + chunk + end) == .complete)
        #expect(PictureCheck.of(png + chunk) == .truncated("the PNG breaks off before its IEND chunk"))
        #expect(PictureCheck.of(png + Data([0xFF, 0xFF, 0xFF, 0xFF]) + end) != .complete)
        #expect(PictureCheck.of(Pictures.pgm()) == .complete)
        #expect(
            PictureCheck.of(Pictures.pgm().dropLast()) == .truncated("the PNM has fewer pixels than its header says"))
        #expect(PictureCheck.of(Data("P6 # made by hand\n2 1 255\n".utf8) + Data(count: 6)) == .complete)
    }

    @Test(arguments: ["a text file named .jpg", "P5\nx", "GIF89a", "\u{FF}"])
    func `refuses what is no picture`(text: String) {
        guard case .notAPicture = PictureCheck.of(Data(text.utf8)) else {
            Issue.record("\(text) counts as \(PictureCheck.of(Data(text.utf8)))")
            return
        }
    }
}
