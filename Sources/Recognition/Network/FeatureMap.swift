/// A picture of features: for every place `channels` values side by side, with a border of zeros around it.
///
/// The border lets a convolution read beyond the edge without asking. Memory is kept for maps of later pictures.
final class FeatureMap {
    /// As wide as the widest window reaches: three taps that are three places apart.
    static let border = 3

    private(set) var width = 0
    private(set) var height = 0

    /// How many values a place has in memory: a multiple of 8 from 8 on.
    private(set) var channels = 0

    private var storage: UnsafeMutablePointer<SIMD8<Float>>
    private(set) var capacity: Int

    init() {
        capacity = 1
        storage = .allocate(capacity: 1)
    }

    deinit { storage.deallocate() }

    /// How many vectors of eight values a map of this shape takes, its border counted.
    static func vectors(width: Int, height: Int, channels: Int) -> Int {
        ((width + 2 * border) * (height + 2 * border) * channels + 7) / 8
    }

    /// Makes the map fit. The border is zero, the rest is whatever was there.
    func reshape(width: Int, height: Int, channels: Int) {
        let needed = Self.vectors(width: width, height: height, channels: channels)
        if needed > capacity {
            storage.deallocate()
            capacity = needed
            storage = .allocate(capacity: capacity)
        }
        self.width = width
        self.height = height
        self.channels = channels
        let row = stride
        let border = Self.border * channels
        values.update(repeating: 0, count: Self.border * row)
        (values + (height + Self.border) * row).update(repeating: 0, count: Self.border * row)
        for y in Self.border..<height + Self.border {
            (values + y * row).update(repeating: 0, count: border)
            (values + (y + 1) * row - border).update(repeating: 0, count: border)
        }
    }

    /// Values from one row to the next.
    var stride: Int { (width + 2 * Self.border) * channels }

    private var values: UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(storage).assumingMemoryBound(to: Float.self)
    }

    /// The first value of the place in the upper left corner, the border not counted.
    var origin: UnsafeMutablePointer<Float> { values + Self.border * (stride + channels) }

    /// The values of a place.
    subscript(x: Int, y: Int) -> UnsafeMutablePointer<Float> { origin + y * stride + x * channels }
}
