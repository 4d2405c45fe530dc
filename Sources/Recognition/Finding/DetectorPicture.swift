import Foundation

/// A picture as the finder's network takes it: blue, green and red as (value - 128) / 64, sides multiples of 16, gray beyond the
/// picture's edge.
struct DetectorPicture {
    /// About how large it is at the first look, where the photo allows.
    static let pixels = 230_400

    /// A photo that comes out of its decoder between these parts of the wanted size is taken as it is: resampling costs as much.
    private static let fitting = 0.6...1.1

    /// The least side: what the network makes of less isn't wide enough for it.
    private static let leastSide = 64

    let map = FeatureMap()

    /// How many pixels of the photo one pixel stands for, along each side.
    private(set) var scaleX = 1.0
    private(set) var scaleY = 1.0

    /// The part of the map that shows the photo.
    private(set) var width = 0
    private(set) var height = 0

    /// Takes a picture's colours.
    ///
    /// - Parameter pixels: how many the map has at most, and about how many where the photo allows.
    mutating func take(_ levels: ColourLevels, pixels: Int) {
        let width = levels.full.width
        let height = levels.full.height
        let wanted =
            [8, 4, 2].first { Double(width / $0 * (height / $0)) >= Self.fitting.lowerBound * Double(pixels) } ?? 1
        let (image, reduction) = levels.reduced(by: wanted)
        let rows = ColourRows(image)
        fill(width: image.width, height: image.height, pixels: pixels) { y, line in
            rows.read(y)
            for x in 0..<image.width {
                line[3 * x] = rows.blue[x]
                line[3 * x + 1] = rows.green[x]
                line[3 * x + 2] = rows.red[x]
            }
        }
        scaleX *= Double(reduction)
        scaleY *= Double(reduction)
    }

    /// Takes a gray picture as one whose colours are alike.
    mutating func take(_ image: GrayImage) {
        fill(width: image.width, height: image.height, pixels: Self.pixels) { y, line in
            for x in 0..<image.width {
                let value = image.pixels[y * image.width + x]
                line[3 * x] = value
                line[3 * x + 1] = value
                line[3 * x + 2] = value
            }
        }
    }

    private typealias Line = UnsafeMutablePointer<UInt8>

    /// - Parameter row: writes a row's pixels, three values each.
    private mutating func fill(width: Int, height: Int, pixels: Int, row: (Int, Line) -> Void) {
        let share = Double(pixels) / Double(width * height)
        let scale = share < 1 / Self.fitting.upperBound ? share.squareRoot() : 1
        self.width = max(1, Int((Double(width) * scale).rounded()))
        self.height = max(1, Int((Double(height) * scale).rounded()))
        scaleX = Double(width) / Double(self.width)
        scaleY = Double(height) / Double(self.height)
        let wide = max(Self.leastSide, (self.width + 15) / 16 * 16)
        let high = max(Self.leastSide, (self.height + 15) / 16 * 16)
        map.reshape(width: wide, height: high, channels: 3)
        var line = [UInt8](repeating: 0, count: 3 * width)
        line.withUnsafeMutableBufferPointer { line in
            guard let line = line.baseAddress else { return }
            if scale == 1 { copy(line, row) } else { resample(width: width, height: height, line, row) }
        }
        for y in 0..<high {
            let first = y < self.height ? self.width : 0
            map[first, y].update(repeating: 0, count: (wide - first) * 3)
        }
    }

    private func copy(_ line: Line, _ row: (Int, Line) -> Void) {
        for y in 0..<height {
            row(y, line)
            let target = map[0, y]
            for index in 0..<3 * width { target[index] = (Float(line[index]) - 128) * (1 / 64) }
        }
    }

    /// Every pixel the mean of the area that it stands for: first along the columns, then along the rows.
    private func resample(width: Int, height: Int, _ line: Line, _ row: (Int, Line) -> Void) {
        let columns = Self.areas(of: self.width, over: width)
        let rows = Self.areas(of: self.height, over: height)
        var sums = [Float](repeating: 0, count: 3 * width)
        sums.withUnsafeMutableBufferPointer { sums in
            var loaded = -1
            for y in 0..<self.height {
                for index in sums.indices { sums[index] = 0 }
                for part in rows[y] {
                    if part.index != loaded { row(part.index, line) }
                    loaded = part.index
                    for index in sums.indices { sums[index] += part.share * Float(line[index]) }
                }
                let target = map[0, y]
                for x in 0..<self.width {
                    var blue: Float = 0
                    var green: Float = 0
                    var red: Float = 0
                    for column in columns[x] {
                        blue += column.share * sums[3 * column.index]
                        green += column.share * sums[3 * column.index + 1]
                        red += column.share * sums[3 * column.index + 2]
                    }
                    target[3 * x] = (blue - 128) * (1 / 64)
                    target[3 * x + 1] = (green - 128) * (1 / 64)
                    target[3 * x + 2] = (red - 128) * (1 / 64)
                }
            }
        }
    }

    private struct Part {
        var index: Int
        var share: Float
    }

    /// For each of `count` places the pixels of a line that it covers, and how much of each.
    private static func areas(of count: Int, over length: Int) -> [[Part]] {
        let step = Double(length) / Double(count)
        return (0..<count).map { place in
            let start = Double(place) * step
            let end = min(Double(length), start + step)
            return (Int(start)..<max(Int(start) + 1, min(length, Int(end.rounded(.up))))).map { index in
                Part(index: index, share: Float((min(end, Double(index + 1)) - max(start, Double(index))) / step))
            }
        }
    }
}
