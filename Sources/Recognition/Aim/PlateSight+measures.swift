import Enforcement
import Foundation

extension PlateSight {
    /// A plate's glyphs are this part of its height where nothing was told of them: two rows and their spaces.
    private static let glyphPart = 0.27

    /// Of a plate that is less than half as high as it is wide, which has one row.
    private static let glyphPartOfRow = 0.62
    private static let rowRatio = 0.38

    /// At either end of the brightnesses so much is left out: screws, dirt, glare.
    private static let leftOut = 0.03

    /// The steepest edges that are looked at, as a part of all places.
    private static let steepest = 0.01

    /// What has no shades any more, 0…255.
    private static let burnt = 250

    /// Nearer to the picture's edge, in pixels, a plate counts as cut.
    private static let edge = 2

    /// Measures a plate.
    ///
    /// - Parameters:
    ///   - image: the picture, `reduction` of whose pixels are one of these.
    ///   - glyphHeight: in pixels of the picture; nil where no row was seen.
    /// - Returns: nil when the place lies outside of the picture.
    init?(_ reading: PlateReading, in image: GrayImage, reduction: Int, glyphHeight: Double?) {
        let box = reading.box
        guard let part = image.clipped(to: box.divided(by: reduction)), part.width > 2 else { return nil }
        let values = part.pixels.sorted()
        let ends = (values.count - 1, Double(values.count - 1))
        let dark = Double(values[Int(ends.1 * Self.leftOut)])
        let bright = Double(values[ends.0 - Int(ends.1 * Self.leftOut)])
        let contrast = bright - dark
        let ratio = Double(box.height) / Double(max(1, box.width))
        self.init(
            box: box,
            glyphHeight: glyphHeight
                ?? Double(box.height) * (ratio < Self.rowRatio ? Self.glyphPartOfRow : Self.glyphPart),
            edgeWidth: contrast / max(1, Self.steepness(part)) * Double(reduction), contrast: contrast,
            brightness: bright,
            burntShare: Double(values.count { Int($0) >= Self.burnt }) / Double(values.count),
            isCut: box.x < Self.edge || box.y < Self.edge || box.right > image.width * reduction - Self.edge
                || box.bottom > image.height * reduction - Self.edge,
            reading: reading)
    }

    /// How much brightness changes from one pixel to the next at the steepest edges, along the rows: that is where vehicles move.
    private static func steepness(_ part: GrayImage) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for y in 0..<part.height {
            let row = y * part.width
            for x in 1..<(part.width - 1) {
                counts[abs(Int(part.pixels[row + x + 1]) - Int(part.pixels[row + x - 1]))] += 1
            }
        }
        var left = Int(Double(part.height * (part.width - 2)) * steepest)
        for difference in counts.indices.reversed() {
            left -= counts[difference]
            if left < 0 { return Double(difference) / 2 }
        }
        return 0
    }
}

extension PlateRecognizer {
    /// A reading that is at least so likely is one of a plate.
    private static let readable = 0.5

    /// Finds and reads the plates of a picture, and measures how they stand in it: what was read before what was not, and the
    /// largest first. What is hardly read and has no plate's look is left out.
    ///
    /// - Parameter picture: a JPEG, PNG or PNM file's bytes.
    package func sights(in picture: Data) throws(ImageError) -> (result: Result, sights: [PlateSight]) {
        let trace = ReadingTrace(keepsPictures: false)
        self.trace = trace
        defer { self.trace = nil }
        let result = try recognize(picture)
        let decoded = try ImageDecoder.decode(picture)
        let sights = (result.readings + result.unread).compactMap { reading in
            PlateSight(
                reading, in: decoded.image, reduction: decoded.reduction,
                glyphHeight: trace.glyphHeight(of: reading))
        }
        // What was read surely is what somebody wants to see read; a sign that is hardly read and has no plate's look is nothing here.
        func rank(_ sight: PlateSight) -> Int {
            sight.reading.confidence >= Self.readable ? 2 : sight.reading.looksLikePlate ? 1 : 0
        }
        let ordered = sights.filter { rank($0) > 0 }.sorted { (rank($0), $0.box.area) > (rank($1), $1.box.area) }
        return (result, ordered)
    }
}
