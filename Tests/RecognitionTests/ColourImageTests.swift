import CTurboJPEG
import Foundation
import Testing

@testable import Recognition

@Suite("Colours of pictures", .timeLimit(.minutes(10)))
struct ColourImageTests {
    private typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    /// Four fields: red and green above, blue and yellow below.
    private static let fields: [Colour] = [(190, 30, 40), (30, 140, 60), (40, 50, 180), (230, 200, 40)]

    private static func colour(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Colour {
        fields[(2 * y < height ? 0 : 2) + (2 * x < width ? 0 : 1)]
    }

    private func jpeg(width: Int, height: Int, _ sampling: TJSAMP) throws -> Data {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let colour = Self.colour(x, y, width, height)
                pixels += [colour.red, colour.green, colour.blue]
            }
        }
        let handle = try #require(tjInitCompress())
        defer { tjDestroy(handle) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let failed = tjCompress2(
            handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &bytes, &count,
            Int32(sampling.rawValue), 95, 0)
        defer { tjFree(bytes) }
        try #require(failed == 0)
        return Data(bytes: try #require(bytes), count: Int(count))
    }

    /// How far the middles of the fields are from what was drawn, at most.
    private func worst(_ image: ColourImage, _ expected: (Int, Int) -> Colour) -> Int {
        let rows = ColourRows(image)
        var worst = 0
        for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)].map({ ($0.0 * image.width / 4, $0.1 * image.height / 4) }) {
            rows.read(y)
            let colour = expected(x, y)
            for (seen, drawn) in [(rows.red, colour.red), (rows.green, colour.green), (rows.blue, colour.blue)] {
                worst = max(worst, abs(Int(seen[x]) - Int(drawn)))
            }
        }
        return worst
    }

    @Test(
        arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411],
        [(64, 48), (101, 67), (33, 34), (47, 50)])
    func `a JPEG's colours are seen however they are stored, whole and at a fraction`(
        sampling: TJSAMP, size: (width: Int, height: Int)
    ) throws {
        let picture = try jpeg(width: size.width, height: size.height, sampling)
        let decoded = try ImageDecoder.decode(picture)
        #expect(decoded.image.width == size.width && decoded.image.height == size.height)
        #expect(worst(decoded.colours) { Self.colour($0, $1, size.width, size.height) } <= 10)
        let (half, reduction) = ColourLevels(decoded.colours).reduced(by: 2)
        #expect(reduction == 2 && half.width == size.width / 2 && half.height == size.height / 2)
        #expect(worst(half) { Self.colour($0, $1, half.width, half.height) } <= 14)
        let small = try ImageDecoder.decode(picture, minimumReduction: 2)
        #expect(abs(small.image.width - size.width / 2) <= 1)
        #expect(worst(small.colours) { Self.colour($0, $1, small.image.width, small.image.height) } <= 14)
    }

    @Test func `a JPEG without colours is gray in all three`() throws {
        let decoded = try ImageDecoder.decode(try jpeg(width: 40, height: 40, TJSAMP_GRAY))
        #expect(decoded.colours.chroma == nil)
        let rows = ColourRows(decoded.colours)
        rows.read(5)
        #expect(rows.red[5] == rows.green[5] && rows.green[5] == rows.blue[5] && rows.red[5] > 0)
    }

    /// Three components that the header says are no luminance and colour differences.
    @Test func `a JPEG that holds red, green and blue is converted`() throws {
        var picture = try jpeg(width: 64, height: 48, TJSAMP_444)
        let plain = try ImageDecoder.decode(picture).image
        let adobe: [UInt8] = [0xFF, 0xEE, 0, 14, 0x41, 0x64, 0x6F, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0]
        // Behind the JFIF segment, whose word would count more.
        let jfif = 2 + 2 + Int(picture[4]) << 8 + Int(picture[5])
        picture = picture.prefix(2) + Data(adobe) + picture.dropFirst(jfif)
        let converted = try ImageDecoder.decode(picture)
        #expect(converted.image.width == 64 && converted.image != plain)
        #expect(converted.colours.chroma != nil)
    }

    @Test func `turning a picture upright turns its colours too`() throws {
        let colours = try ImageDecoder.decode(try jpeg(width: 64, height: 48, TJSAMP_422)).colours
        let turned = colours.upright(from: 6)
        #expect(turned.width == 48 && turned.height == 64)
        // What was at the left lies above, what was above lies at the right.
        #expect(worst(turned) { Self.colour($1, 47 - $0, 64, 48) } <= 10)
    }

    @Test func `no picture is too small to be asked for a fraction of it`() {
        let dot = ColourImage(luminance: GrayImage(width: 1, height: 1, filledWith: 9))
        let (image, reduction) = ColourLevels(dot).reduced(by: 8)
        #expect(image == dot && reduction == 1)
    }
}
