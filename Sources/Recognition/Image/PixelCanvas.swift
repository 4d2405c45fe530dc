import CLeptonica
import Foundation

/// The pixels of a picture, to change its light and weather: red, green and blue of each from 0 to 255, row by row.
package struct PixelCanvas {
    package let width: Int
    package let height: Int
    package var values: [Float]

    /// Of a JPEG, in percent: as cameras compress.
    private static let quality: Int32 = 80

    package init(width: Int, height: Int, values: [Float]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// - Returns: the upright picture's pixels, and the error for whatever else can't be done with it.
    /// - Throws: what `UprightPicture.decode` throws.
    package static func decode(_ picture: Data) throws(ImageError) -> (canvas: PixelCanvas, damaged: ImageError) {
        let (decoded, damaged) = try UprightPicture.decode(picture)
        var pix: UnsafeMutablePointer<Pix>? = decoded
        defer { pixDestroy(&pix) }
        guard let canvas = PixelCanvas(decoded) else { throw damaged }
        return (canvas, damaged)
    }

    /// - Parameter pix: of any depth. It stays the caller's.
    /// - Returns: nil where it can't be converted.
    init?(_ pix: UnsafeMutablePointer<Pix>) {
        var colour = pixConvertTo32(pix)
        defer { pixDestroy(&colour) }
        guard let colour, let words = pixGetData(colour) else { return nil }
        (width, height) = (Int(pixGetWidth(colour)), Int(pixGetHeight(colour)))
        let line = Int(pixGetWpl(colour))
        values = [Float](unsafeUninitializedCapacity: 3 * width * height) { [width, height] values, count in
            count = 3 * width * height
            for y in 0..<height {
                for x in 0..<width {
                    let word = words[y * line + x]
                    let at = 3 * (y * width + x)
                    values[at] = Float(word >> 24)
                    values[at + 1] = Float(word >> 16 & 255)
                    values[at + 2] = Float(word >> 8 & 255)
                }
            }
        }
    }

    /// - Returns: nil where there is no memory for it.
    package func jpeg() -> Data? {
        var pix = pixCreate(Int32(width), Int32(height), 32)
        defer { pixDestroy(&pix) }
        guard let pix, let words = pixGetData(pix) else { return nil }
        let line = Int(pixGetWpl(pix))
        for y in 0..<height {
            for x in 0..<width {
                let at = 3 * (y * width + x)
                words[y * line + x] =
                    (Self.byte(values[at]) << 24) | (Self.byte(values[at + 1]) << 16) | (Self.byte(values[at + 2]) << 8)
            }
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(bytes) }
        guard pixWriteMemJpeg(&bytes, &count, pix, Self.quality, 0) == 0, let bytes, count > 0 else { return nil }
        return Data(bytes: bytes, count: count)
    }

    private static func byte(_ value: Float) -> UInt32 { UInt32(max(0, min(255, value.rounded()))) }

    /// What is brighter than the picture can show stays as bright as that.
    package mutating func clip() { for index in values.indices { values[index] = max(0, min(255, values[index])) } }

    package mutating func multiply(_ factor: Float) { for index in values.indices { values[index] *= factor } }

    /// Adds to every value by chance, with this standard deviation: the sum of three even chances is near enough to a bell.
    package mutating func addNoise(_ deviation: Float, using random: inout some RandomNumberGenerator) {
        guard deviation > 0 else { return }
        for pixel in 0..<width * height {
            let chance = random.next()
            for channel in 0..<3 {
                let bits = chance >> UInt64(21 * channel)
                let sum = Float(bits & 127) + Float(bits >> 7 & 127) + Float(bits >> 14 & 127)
                // Three values of 0 to 127 have a mean of 190.5 and a standard deviation of 64.
                values[3 * pixel + channel] += deviation * (sum - 190.5) / 64
            }
        }
    }

    /// Calls with each pixel's x and y, and its red, green and blue.
    package mutating func change(_ body: (Int, Int, inout Float, inout Float, inout Float) -> Void) {
        values.withUnsafeMutableBufferPointer { values in
            for y in 0..<height {
                for x in 0..<width {
                    let at = 3 * (y * width + x)
                    var (red, green, blue) = (values[at], values[at + 1], values[at + 2])
                    body(x, y, &red, &green, &blue)
                    (values[at], values[at + 1], values[at + 2]) = (red, green, blue)
                }
            }
        }
    }

    /// The mean over so many pixels, the pixel itself and the ones above it: what a vehicle's way down the picture leaves of its edges.
    package mutating func smearDown(_ length: Int) {
        guard length > 1, height > 1 else { return }
        for column in 0..<3 * width {
            let line = (0..<height).map { values[3 * width * $0 + column] }
            var sum: Float = 0
            for y in 0..<height {
                sum += line[y]
                if y >= length { sum -= line[y - length] }
                values[3 * width * y + column] = sum / Float(min(length, y + 1))
            }
        }
    }
}
