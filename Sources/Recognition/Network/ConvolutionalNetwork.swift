/// Runs a network's steps over a picture. Its buffers are reused from picture to picture; it belongs to one thread at a time.
final class ConvolutionalNetwork {
    private enum Step {
        case convolution(Convolution)
        case keep
        case add
        case lower
    }

    private let steps: [Step]

    /// Maps that are free to use.
    private var free: [FeatureMap] = []

    init(_ file: NetworkFile) {
        steps = file.steps.map { step in
            switch step {
            case .convolution(let shape, let weights, let biases):
                .convolution(Convolution(shape, isDepthwise: false, weights: weights, biases: biases))
            case .depthwise(let shape, let weights, let biases):
                .convolution(Convolution(shape, isDepthwise: true, weights: weights, biases: biases))
            case .keep: .keep
            case .add: .add
            case .lower: .lower
            }
        }
    }

    /// - Parameter picture: of the network's input channels, sides multiples of what its steps halve them by. It is left as it is.
    /// - Returns: the answers; valid until the next run.
    func run(_ picture: FeatureMap) -> FeatureMap {
        var current = picture
        var kept: [FeatureMap] = []
        for step in steps {
            switch step {
            case .convolution(let convolution):
                let next = spare(
                    width: current.width / convolution.shape.stride, height: current.height / convolution.shape.stride,
                    channels: convolution.outputChannels)
                convolution.run(current, into: next)
                release(current, picture, kept)
                current = next
            case .keep:
                kept.append(current)
            case .add:
                guard let other = kept.popLast() else { continue }
                // What was kept twice, or is the picture itself, may not be written to.
                guard other !== current, other !== picture, !kept.contains(where: { $0 === other }) else {
                    let copy = spare(width: other.width, height: other.height, channels: other.channels)
                    Self.sum(current, other, into: copy)
                    release(current, picture, kept)
                    current = copy
                    continue
                }
                Self.sum(current, other, into: other)
                release(current, picture, kept)
                current = other
            case .lower:
                let next = spare(width: current.width, height: current.height / 2, channels: current.channels)
                Self.lower(current, into: next)
                release(current, picture, kept)
                current = next
            }
        }
        if current !== picture { free.append(current) }
        return current
    }

    /// Gives the memory of the maps back.
    func forgetMaps() { free.removeAll() }

    /// The smallest free map that is large enough for a shape; else the largest, which grows: so that few maps are large.
    private func spare(width: Int, height: Int, channels: Int) -> FeatureMap {
        let needed = FeatureMap.vectors(width: width, height: height, channels: channels)
        let fitting = free.indices.filter { free[$0].capacity >= needed }
        let chosen =
            fitting.min { free[$0].capacity < free[$1].capacity }
            ?? free.indices.max { free[$0].capacity < free[$1].capacity }
        return chosen.map { free.remove(at: $0) } ?? FeatureMap()
    }

    private func release(_ map: FeatureMap, _ picture: FeatureMap, _ kept: [FeatureMap]) {
        if map !== picture, !kept.contains(where: { $0 === map }), !free.contains(where: { $0 === map }) {
            free.append(map)
        }
    }

    /// The sum of two maps, the first of which may have half the size of the second; every value then counts for four.
    private static func sum(_ map: FeatureMap, _ other: FeatureMap, into result: FeatureMap) {
        if result !== other {
            result.reshape(width: other.width, height: other.height, channels: other.channels)
        }
        let shift = map.width < other.width ? 1 : 0
        let channels = other.channels
        for y in 0..<other.height {
            let small = UnsafeRawPointer(map[0, y >> shift])
            let large = UnsafeRawPointer(other[0, y])
            let target = UnsafeMutableRawPointer(result[0, y])
            for x in 0..<other.width {
                let from = small + (x >> shift) * channels * MemoryLayout<Float>.size
                let place = x * channels * MemoryLayout<Float>.size
                for block in 0..<channels / 8 {
                    let offset = block * MemoryLayout<SIMD8<Float>>.size
                    let sum =
                        (large + place).loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                        + from.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    (target + place).storeBytes(of: sum, toByteOffset: offset, as: SIMD8<Float>.self)
                }
            }
        }
    }

    /// The greater values of two rows that lie on one another.
    private static func lower(_ map: FeatureMap, into result: FeatureMap) {
        result.reshape(width: map.width, height: map.height / 2, channels: map.channels)
        for y in 0..<result.height {
            let (upper, under, target) = (map[0, 2 * y], map[0, 2 * y + 1], result[0, y])
            for index in 0..<map.width * map.channels { target[index] = max(upper[index], under[index]) }
        }
    }
}
