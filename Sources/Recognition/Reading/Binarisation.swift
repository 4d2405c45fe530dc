import Enforcement

/// A way to tell a row's glyphs from the plate around them. All are tried in this order until a row is read surely.
package enum Binarisation: Sendable, CaseIterable {
    /// Darker than Otsu's threshold: keeps glyphs apart that touch.
    case global

    /// Darker than the surroundings: copes with shadows.
    case local

    /// As `local`, but cut beside, above and below the glyphs that the finder saw: parts them from a frame and from each other.
    case parted

    /// Darker than Otsu's threshold moved a third of the way towards the dark end: parts glyphs from a border that blur
    /// has joined them to.
    case dark

    /// Darker than Otsu's threshold moved a third of the way towards the bright end: keeps thin and faint strokes whole.
    case bright

    /// The height of the line, margins included, the margin at its ends, both in pixels, and how many times as wide as it is it is drawn. They
    /// differ a little, so that a reader that stumbles over one picture of a row has another chance: the networks are touchy about size
    /// (MODEL.md).
    var layout: (height: Int, margin: Int, stretch: Double) {
        switch self {
        case .local: (43, 11, 1)
        case .global: (40, 8, 1)
        case .parted: (41, 10, 0.9)
        case .dark: (38, 6, 0.93)
        case .bright: (41, 14, 1.08)
        }
    }

    /// - Parameter core: the part of the picture, in columns, that is sure to be plate: thresholds are taken from it.
    func classify(_ image: GrayImage, core: Range<Int>, into map: inout [UInt8]) {
        if self == .local || self == .parted {
            // Half the window in pixels, gray levels, and parts of the mean in 1/256. The narrow window parts
            // small glyphs from each other and from the frame, as it does for the finder.
            var contrast =
                self == .local
                ? LocalContrast(radius: 20, minimumDifference: 10, relativeDifference: 18)
                : LocalContrast(radius: 11, minimumDifference: 7, relativeDifference: 22)
            return contrast.classify(image, into: &map)
        }
        let levels = Self.otsu(image, core: core)
        let threshold =
            switch self {
            case .dark: levels.threshold - max(0, levels.threshold - levels.dark) / 3
            case .bright: levels.threshold + max(0, levels.bright - levels.threshold) / 3
            case .local, .parted, .global: levels.threshold
            }
        map = image.pixels.map { Int($0) <= threshold ? LocalContrast.dark : LocalContrast.light }
    }

    /// The gray level that parts the dark from the light best (Otsu 1979), and the means of both. Taken from the band of
    /// the glyphs: what is above and below may be a bumper.
    static func otsu(_ image: GrayImage, core: Range<Int>) -> (threshold: Int, dark: Int, bright: Int) {
        var histogram = [Int](repeating: 0, count: 256)
        // A crop with room above and below is higher than 48 px; the middle half of it is the row.
        let band = image.height > 48 ? image.height / 4..<image.height * 3 / 4 : 0..<image.height
        for y in band {
            for x in core { histogram[Int(image.pixels[y * image.width + x])] += 1 }
        }
        let total = Double(band.count * core.count)
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var below = 0.0
        var sumBelow = 0.0
        var best = (threshold: 0, dark: 0, bright: 255)
        var bestVariance = -1.0
        for level in 0..<255 {
            below += Double(histogram[level])
            sumBelow += Double(level * histogram[level])
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let bright = (sum - sumBelow) / above
            let difference = sumBelow / below - bright
            let variance = below * above * difference * difference
            if variance > bestVariance {
                bestVariance = variance
                best = (level, Int(sumBelow / below), Int(bright))
            }
        }
        return best
    }
}
