import Foundation
import Testing

@testable import Recognition

@Suite("An image decoder")
struct ImageDecoderTests {
    private var drawing: Drawing {
        var drawing = Drawing(width: 640, height: 480)
        drawing.glyphs(6, x: 100, y: 200, height: 40)
        return drawing
    }

    @Test func `decodes what was drawn`() throws {
        let decoded = try ImageDecoder.decode(drawing.encoded(.png))
        #expect(decoded.image == drawing.image)
        #expect(decoded.width == 640 && decoded.height == 480 && decoded.reduction == 1)
    }

    @Test func `names an empty file and a text as what they are`() {
        #expect(throws: ImageError.empty) { try ImageDecoder.decode(Data()) }
        #expect(throws: ImageError.notAPicture) { try ImageDecoder.decode(Data("this is text".utf8)) }
    }

    @Test func `refuses a JPEG whose end is missing`() {
        let whole = drawing.encoded(.jpeg)
        #expect(throws: ImageError.truncated) { try ImageDecoder.decode(whole.prefix(whole.count / 2)) }
    }

    @Test func `refuses a header that states more pixels than memory should hold`() throws {
        var jpeg = drawing.encoded(.jpeg)
        let frame = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound
        for (offset, byte) in [0x4E, 0x20, 0x4E, 0x20].enumerated() { jpeg[frame + 5 + offset] = UInt8(byte) }
        #expect(throws: ImageError.tooLarge(width: 20_000, height: 20_000)) { try ImageDecoder.decode(jpeg) }
        let png =
            Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
            + Data([0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 8, 0, 0, 0, 0, 0, 0, 0, 0]) + Data(count: 100)
        #expect(throws: ImageError.self) { try ImageDecoder.decode(png) }
    }

    @Test func `refuses every cut and no cut crashes`() {
        let whole = drawing.encoded(.png)
        for length in stride(from: 1, to: whole.count - 1, by: 97) {
            #expect(throws: ImageError.self) { try ImageDecoder.decode(whole.prefix(length)) }
        }
    }

    @Test func `survives any damaged byte`() {
        let whole = drawing.encoded(.jpeg)
        for at in stride(from: 2, to: min(whole.count, 2000), by: 13) {
            var damaged = whole
            damaged[at] ^= 0xFF
            _ = try? ImageDecoder.decode(damaged)
        }
    }

    @Test func `turns a picture upright that the camera stored on its side`() throws {
        let exif: [UInt8] = [
            0xFF, 0xE1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0,
            0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
        ]
        var drawing = Drawing(width: 64, height: 32, ground: 255)
        drawing.fill(x: 0, y: 0, width: 16, height: 16, 0)
        let jpeg = drawing.encoded(.jpeg)
        let decoded = try ImageDecoder.decode(jpeg.prefix(2) + Data(exif) + jpeg.dropFirst(2))
        #expect(decoded.width == 32 && decoded.height == 64)
        // The left upper corner of the stored picture is the right upper one of the upright picture.
        #expect(decoded.image.pixels[4 * 32 + 28] < 60 && decoded.image.pixels[4 * 32 + 4] > 200)
    }

    @Test func `turns back what every orientation did`() {
        let image = GrayImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])
        #expect(image.upright(from: 3).pixels == [6, 5, 4, 3, 2, 1])
        #expect(image.upright(from: 6).pixels == [4, 1, 5, 2, 6, 3])
        #expect(image.upright(from: 8).pixels == [3, 6, 2, 5, 1, 4])
        #expect(image.upright(from: 2).pixels == [3, 2, 1, 6, 5, 4])
        #expect(image.upright(from: 99) == image)
    }

    @Test func `knows a progressive JPEG from a baseline one`() {
        #expect(JPEGHeader(drawing.encoded(.progressiveJPEG)).isProgressive)
        #expect(!JPEGHeader(drawing.encoded(.jpeg)).isProgressive)
        #expect(JPEGHeader(Data([0xFF, 0xD8, 0xFF])).orientation == 1)
    }

    @Test(arguments: [(1920, 1080), (1280, 720), (640, 480), (100, 80)])
    func `gives a thumbnail about 160 pixels wide`(width: Int, height: Int) throws {
        let thumbnail = try ImageDecoder.thumbnail(of: Drawing(width: width, height: height).encoded(.jpeg))
        #expect(width < 160 ? thumbnail.width == width : (120...240).contains(thumbnail.width))
    }
}
