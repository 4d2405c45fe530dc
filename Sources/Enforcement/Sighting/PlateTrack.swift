import Foundation

/// How large a vehicle's plate was from frame to frame: that of a vehicle which comes towards the camera grows.
///
/// A wrong answer costs more than none, so it says nothing of a vehicle that stands, that few frames showed, or whose sizes jump. A plate that
/// is found in another way from one frame to the next changes its size in one jump: however large that is, it tells nothing by itself.
/// Decision note 0300.
struct PlateTrack: Sendable, Equatable, Codable {
    private struct Size: Sendable, Equatable, Codable {
        var width: Int
        var height: Int

        /// How many characters were read; 0 where the plate was seen and not read.
        var characters: Int

        /// The logarithm of the mean of both sides: 0.1 more is 10 % larger.
        var logarithm: Double { log(Double(width) * Double(height)) / 2 }
        var shape: Double { log(Double(width) / Double(height)) }
    }

    /// So many sizes are kept of the beginning, and as many of the end: whoever came and then stands has come.
    private static let mostOfEachEnd = 8

    /// Fewer sizes of one shape tell nothing: two steps are the least that can agree.
    private static let leastSizes = 3

    /// Of another shape than most is what was read in part, or found in another way.
    private static let mostOtherShape = 0.2

    /// By so much a plate grows or shrinks in all, …
    private static let leastChange = 0.1

    /// … and by so much without its largest step, …
    private static let leastWithoutJump = 0.06

    /// … and by no more than this part of it the other way.
    private static let mostContrary = 0.3

    private var sizes: [Size] = []

    /// When the last of its frames was taken; nil in a state of before.
    private var lastAt: Instant?

    /// Whether frames came in another order than they were taken in: sizes in the order of arrival would tell the way backwards.
    private var isMixed: Bool?

    init(_ reading: PlateReading, at time: Instant) { add(reading, at: time) }

    /// - Parameter time: when the frame was taken.
    mutating func add(_ reading: PlateReading, at time: Instant) {
        if let lastAt, time < lastAt { isMixed = true }
        lastAt = max(lastAt ?? time, time)
        let box = reading.box
        guard box.width > 0, box.height > 0 else { return }
        sizes.append(Size(width: box.width, height: box.height, characters: reading.plate.compact.count))
        if sizes.count > 2 * Self.mostOfEachEnd { sizes.remove(at: Self.mostOfEachEnd) }
    }

    /// Which way it goes; nil where the frames don't tell.
    ///
    /// Example: widths of 100, 108, 117 and 125 at one shape are steps of 0.08, 0.08 and 0.07: 0.22 in all, 0.14 without the largest.
    var course: Course? {
        guard isMixed != true else { return nil }
        let sizes = comparable.map(\.logarithm)
        guard sizes.count >= Self.leastSizes, let first = sizes.first, let last = sizes.last else { return nil }
        let grows = last > first
        let change = abs(last - first)
        let steps = zip(sizes, sizes.dropFirst()).map { grows ? $1 - $0 : $0 - $1 }
        let contrary = -steps.filter { $0 < 0 }.reduce(0, +)
        guard change >= Self.leastChange, change - (steps.max() ?? 0) >= Self.leastWithoutJump,
            contrary <= Self.mostContrary * change
        else { return nil }
        return grows ? .approaching : .receding
    }

    /// The sizes of what was found alike: with the same number of characters, where anything was read, and of one shape.
    private var comparable: [Size] {
        let counts = Dictionary(grouping: sizes.map(\.characters).filter { $0 > 0 }) { $0 }
        let usual = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key ?? 0
        let alike = sizes.filter { $0.characters == usual }
        guard !alike.isEmpty else { return [] }
        let middle = alike.map(\.shape).sorted()[alike.count / 2]
        return alike.filter { abs($0.shape - middle) <= Self.mostOtherShape }
    }
}
