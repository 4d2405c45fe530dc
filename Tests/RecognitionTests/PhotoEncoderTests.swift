import Foundation
import Testing

@testable import Recognition

@Suite("An encoder of photos for the server", .timeLimit(.minutes(10)))
struct PhotoEncoderTests {
    private var drawing: Drawing {
        var drawing = Drawing(width: 1280, height: 720)
        for row in 0..<10 { drawing.glyphs(20, x: 40, y: 20 + row * 60, height: 40) }
        return drawing
    }

    @Test func `makes a picture as small as is asked, and no smaller than it must be`() throws {
        let picture = drawing.encoded(.png)
        var sizes: [Int] = []
        for limit in [2_000_000, 60_000, 15_000] {
            let photo = try PhotoEncoder.jpeg(of: picture, maximumBytes: limit)
            #expect(photo.count <= limit)
            #expect(photo.starts(with: [0xFF, 0xD8, 0xFF]))
            let (width, height, _) = try ImageDecoder.size(of: photo)
            #expect(abs(Double(width) / Double(height) - 1280.0 / 720) < 0.02)
            sizes.append(width)
        }
        #expect(sizes[0] == 1280)
        #expect(sizes[2] < 1280)
    }

    @Test func `turns a picture as its header says`() throws {
        let jpeg = drawing.encoded(.jpeg)
        // An Exif segment with one entry: orientation 6, held a quarter to the right.
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let exif = Array("Exif".utf8) + [0, 0] + tiff
        let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        let turned = jpeg.prefix(2) + Data(segment) + jpeg.dropFirst(2)
        let photo = try PhotoEncoder.jpeg(of: turned, maximumBytes: 2_000_000)
        let (width, height, _) = try ImageDecoder.size(of: photo)
        #expect(width == 720 && height == 1280)
    }

    @Test func `refuses what is no picture, and a limit that no picture can hold`() {
        #expect(throws: ImageError.self) { try PhotoEncoder.jpeg(of: Data("text".utf8), maximumBytes: 1000) }
        #expect(throws: ImageError.self) { try PhotoEncoder.jpeg(of: Data(), maximumBytes: 1000) }
        let jpeg = drawing.encoded(.png)
        #expect(throws: ImageError.self) { try PhotoEncoder.jpeg(of: jpeg, maximumBytes: 10) }
        #expect(throws: ImageError.self) { try PhotoEncoder.jpeg(of: jpeg.prefix(500), maximumBytes: 100_000) }
    }
}
