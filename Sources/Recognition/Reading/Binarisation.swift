import Enforcement

/// A way to tell a row's glyphs from the plate around them.
package enum Binarisation: Sendable, CaseIterable {
    /// Darker than the surroundings: copes with shadows.
    case local

    /// Darker than Otsu's threshold, moved towards the dark: keeps glyphs apart that touch.
    case global

    func classify(_ image: GrayImage, into map: inout [UInt8]) {
        switch self {
        case .local:
            var contrast = LocalContrast(radius: 20, minimumDifference: 10, relativeDifference: 18)
            contrast.classify(image, into: &map)
        case .global:
            let threshold = otsuThreshold(image)
            map = image.pixels.map { $0 <= threshold ? LocalContrast.dark : LocalContrast.light }
        }
    }

    /// The gray level that parts the picture's dark from its light best (Otsu 1979).
    private func otsuThreshold(_ image: GrayImage) -> UInt8 {
        var histogram = [Int](repeating: 0, count: 256)
        for pixel in image.pixels { histogram[Int(pixel)] += 1 }
        let total = Double(image.pixels.count)
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var below = 0.0
        var sumBelow = 0.0
        var best = 0
        var bestVariance = -1.0
        for level in 0..<255 {
            below += Double(histogram[level])
            sumBelow += Double(level * histogram[level])
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let difference = sumBelow / below - (sum - sumBelow) / above
            let variance = below * above * difference * difference
            if variance > bestVariance {
                bestVariance = variance
                best = level
            }
        }
        return UInt8(best)
    }
}
