import Foundation
import PictureHeader
import Testing

@testable import Recognition

@Suite("An image decoder", .timeLimit(.minutes(10)))
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

    @Test func `unpacks nothing of a PNG but its pixels`() throws {
        let burdened = try PackedText.burdened(drawing.encoded(.png), chunks: 300)
        let began = ContinuousClock.now
        let decoded = try ImageDecoder.decode(burdened)
        // Unpacking the texts takes 50 ms each.
        #expect(ContinuousClock.now - began < .seconds(5))
        #expect(decoded.image == drawing.image)
        #expect(throws: ImageError.truncated) { try ImageDecoder.decode(burdened.prefix(burdened.count / 2)) }
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
        let progressive = JPEGHeader(drawing.encoded(.progressiveJPEG))
        #expect(progressive.needsCoefficients && progressive.scans > 1)
        let baseline = JPEGHeader(drawing.encoded(.jpeg))
        #expect(!baseline.needsCoefficients && baseline.scans == 1 && !baseline.isExotic)
        #expect(JPEGHeader(Data([0xFF, 0xD8, 0xFF])).orientation == 1)
    }

    /// The start of frame with another marker or another number of bits.
    private func changed(_ kind: UInt8, bits: UInt8 = 8) throws -> Data {
        var jpeg = drawing.encoded(.jpeg)
        let at = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound
        jpeg[at + 1] = kind
        jpeg[at + 4] = bits
        return jpeg
    }

    @Test func `a JPEG of the largest size that a header can state is too large, not stored in too many layers`() throws
    {
        var jpeg = drawing.encoded(.jpeg)
        let size = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound + 5
        jpeg.replaceSubrange(size..<size + 4, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(throws: ImageError.tooLarge(width: 65_500, height: 65_500)) { try ImageDecoder.decode(jpeg) }
    }

    @Test func `names a JPEG that is stored as no camera does`() throws {
        for picture in [try changed(0xC9), try changed(0xC3), try changed(0xCA), try changed(0xC1, bits: 12)] {
            #expect(throws: ImageError.exotic) { try ImageDecoder.decode(picture) }
        }
    }

    @Test func `refuses a JPEG whose pixels are stored in thousands of layers`() throws {
        let jpeg = drawing.encoded(.progressiveJPEG)
        let last = try #require(jpeg.range(of: Data([0xFF, 0xDA]), options: .backwards)).lowerBound
        let layer = jpeg[last..<jpeg.count - 2]
        var many = jpeg.dropLast(2)
        for _ in 0..<20_000 { many.append(layer) }
        many.append(contentsOf: [0xFF, 0xD9])
        let scans = JPEGHeader(jpeg).scans + 20_000
        #expect(JPEGHeader(many).scans == scans)
        #expect(throws: ImageError.tooManyScans(scans)) { try ImageDecoder.decode(Data(many)) }
    }

    @Test
    func
        `what is stored in several layers must be held as a whole, so no more of it is taken than of progressive ones`()
        throws
    {
        var jpeg = drawing.encoded(.jpeg)
        let scan = try #require(jpeg.range(of: Data([0xFF, 0xDA]))).lowerBound
        let layer = jpeg[scan..<jpeg.count - 2]
        jpeg.insert(contentsOf: layer, at: scan)
        let size = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound + 5
        jpeg.replaceSubrange(size..<size + 4, with: [0x27, 0x10, 0x27, 0x10])
        #expect(JPEGHeader(jpeg).needsCoefficients)
        #expect(throws: ImageError.tooLarge(width: 10_000, height: 10_000)) { try ImageDecoder.decode(jpeg) }
    }

    @Test func `finds what a JPEG's header says behind long segments, filler and stray markers`() throws {
        let jpeg = drawing.encoded(.progressiveJPEG)
        let long = Data([0xFF, 0xE2, 0xFF, 0xFF]) + Data(count: 0xFFFD)
        let odd =
            jpeg.prefix(2) + (0..<6).reduce(Data()) { data, _ in data + long } + Data([0xFF, 0x01, 0xFF, 0xFF, 0xD3])
        #expect(JPEGHeader(odd + jpeg.dropFirst(2)).needsCoefficients)
    }

    @Test(arguments: [(1920, 1080), (1280, 720), (640, 480), (100, 80)])
    func `gives a thumbnail about 160 pixels wide`(width: Int, height: Int) throws {
        let thumbnail = try ImageDecoder.thumbnail(of: Drawing(width: width, height: height).encoded(.jpeg))
        #expect(width < 160 ? thumbnail.width == width : (120...240).contains(thumbnail.width))
    }
}
