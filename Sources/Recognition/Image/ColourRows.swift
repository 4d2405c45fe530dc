/// Gives a picture's rows as red, green and blue. It belongs to one thread at a time.
final class ColourRows {
    private typealias Vector = SIMD16<UInt8>
    private static let lanes = 16

    private let image: ColourImage

    /// The row that was read last.
    let red: UnsafeMutablePointer<UInt8>
    let green: UnsafeMutablePointer<UInt8>
    let blue: UnsafeMutablePointer<UInt8>

    private let light: UnsafeMutablePointer<UInt8>
    private let bluer: UnsafeMutablePointer<UInt8>
    private let redder: UnsafeMutablePointer<UInt8>

    /// A row of colour differences between the two rows that it comes from, in quarters, with one more at each end.
    private let mixed: UnsafeMutablePointer<UInt16>

    init(_ image: ColourImage) {
        self.image = image
        // Rows are worked out in vectors: the last one may reach beyond the row.
        let room = (image.width / Self.lanes + 1) * Self.lanes
        func row() -> UnsafeMutablePointer<UInt8> {
            let row = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
            row.initialize(repeating: 128, count: room)
            return row
        }
        (red, green, blue, light, bluer, redder) = (row(), row(), row(), row(), row(), row())
        mixed = .allocate(capacity: room + 2)
        mixed.initialize(repeating: 0, count: room + 2)
    }

    deinit {
        for row in [red, green, blue, light, bluer, redder] { row.deallocate() }
        mixed.deallocate()
    }

    /// Fills `red`, `green` and `blue` with a row's values, as many as the picture is wide.
    func read(_ y: Int) {
        let width = image.width
        image.luminance.pixels.withUnsafeBufferPointer { pixels in
            if let start = pixels.baseAddress { light.update(from: start + y * width, count: width) }
        }
        guard let chroma = image.chroma else {
            for row in [red, green, blue] { row.update(from: light, count: width) }
            return
        }
        spread(chroma.blue, y, chroma, into: bluer)
        spread(chroma.red, y, chroma, into: redder)
        for x in stride(from: 0, to: width, by: Self.lanes) {
            let base = Self.wide(light + x)
            let bluer = Self.wide(bluer + x) &- 128
            let redder = Self.wide(redder + x) &- 128
            // From YCbCr as JPEGs have it (ITU-T T.871), in steps of 1/128.
            Self.store(base &+ ((redder &* 179 &+ 64) &>> 7), red + x)
            Self.store(base &- ((bluer &* 44 &+ redder &* 91 &+ 64) &>> 7), green + x)
            Self.store(base &+ ((bluer &* 227 &+ 64) &>> 7), blue + x)
        }
    }

    @inline(__always)
    private static func wide(_ values: UnsafeMutablePointer<UInt8>) -> SIMD16<Int16> {
        SIMD16<Int16>(truncatingIfNeeded: UnsafeRawPointer(values).loadUnaligned(as: Vector.self))
    }

    @inline(__always)
    private static func store(_ values: SIMD16<Int16>, _ target: UnsafeMutablePointer<UInt8>) {
        let bounded = values.clamped(lowerBound: SIMD16(repeating: 0), upperBound: SIMD16(repeating: 255))
        UnsafeMutableRawPointer(target).storeBytes(of: Vector(truncatingIfNeeded: bounded), as: Vector.self)
    }

    /// A row of colour differences at the luminance's resolution: between two values a quarter of the farther one is mixed in.
    private func spread(
        _ plane: GrayImage, _ y: Int, _ chroma: ColourImage.Chroma, into row: UnsafeMutablePointer<UInt8>
    ) {
        let width = image.width
        let near = min(plane.height - 1, y >> chroma.shiftY)
        let far = chroma.shiftY == 1 ? max(0, min(plane.height - 1, near + (y & 1 == 0 ? -1 : 1))) : near
        plane.pixels.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            let upper = values + near * plane.width
            let lower = values + far * plane.width
            guard chroma.shiftX == 1 else {
                for x in 0..<width {
                    let column = min(plane.width - 1, x >> chroma.shiftX)
                    row[x] = UInt8(truncatingIfNeeded: (3 * UInt16(upper[column]) &+ UInt16(lower[column]) &+ 2) &>> 2)
                }
                return
            }
            let count = min(plane.width, (width + 1) / 2)
            let inner = mixed + 1
            for column in 0..<count { inner[column] = 3 &* UInt16(upper[column]) &+ UInt16(lower[column]) }
            mixed[0] = mixed[1]
            inner[count] = inner[count - 1]
            for column in 0..<count {
                let three = 3 &* inner[column] &+ 7
                row[2 * column] = UInt8(truncatingIfNeeded: (three &+ inner[column - 1] &+ 1) &>> 4)
                row[2 * column + 1] = UInt8(truncatingIfNeeded: (three &+ inner[column + 1]) &>> 4)
            }
        }
    }
}
