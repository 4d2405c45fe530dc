import Foundation

/// Why a network's file can't be used.
package enum NetworkError: Error, Equatable, CustomStringConvertible {
    case missing(searched: [String])
    case notANetwork
    case otherVersion(Int)
    case damaged(String)

    package var description: String {
        switch self {
        case .missing(let folders):
            "\(PlateDetector.fileName) is in none of \(folders.joined(separator: ", ")). Put it there, or name its folder: "
                + "`models` in [reader], or --models"
        case .notANetwork: "this is no network of the finder: it doesn't begin as one"
        case .otherVersion(let version):
            "the network is of version \(version), and this program reads version \(NetworkFile.version)"
        case .damaged(let what): "the network's file is damaged: \(what)"
        }
    }
}

/// A network as it lies on disk: a list of steps with their weights.
///
/// Little-endian: `CPFINDER`, version, channels of the picture, number of steps (32 bits each). Then each step: kind, kernel,
/// stride, dilation, channels in, channels out, whether negatives are cut (32 bits each); of a convolution the weights as 16-bit
/// floats by row, column, channel in, channel out (a depthwise one has no channel in), and the biases as 32-bit floats.
/// `models/train/checkpost_train/finder_net.py` writes it.
struct NetworkFile {
    static let magic = Data("CPFINDER".utf8)
    static let version = 1

    /// What a step does with the current picture of features.
    enum Step: Equatable {
        /// Every output channel from all input channels.
        case convolution(Shape, weights: [Float], biases: [Float])

        /// Every channel by itself.
        case depthwise(Shape, weights: [Float], biases: [Float])

        /// Puts a copy aside.
        case keep

        /// Takes what was put aside last and adds it; where that has twice the size, the current one is doubled before.
        case add
    }

    struct Shape: Equatable {
        /// The side of the window: 1 or 3.
        var kernel: Int
        var stride: Int

        /// How far apart the window's taps are.
        var dilation: Int
        var input: Int
        var output: Int

        /// Whether negative values are cut.
        var isCut: Bool
    }

    /// A finder has 0.1 MB.
    private static let maximumBytes = 8 << 20
    private static let maximumSteps = 200
    private static let maximumChannels = 256

    /// The network's answer for a cell: how likely a plate's middle is there, and its four sides.
    static let answers = 5

    let inputChannels: Int
    let steps: [Step]

    init(_ data: Data) throws(NetworkError) {
        guard data.count <= Self.maximumBytes, data.starts(with: Self.magic) else { throw .notANetwork }
        var reader = Reader(data: data, offset: Self.magic.count)
        let version = try reader.number()
        guard version == Self.version else { throw .otherVersion(version) }
        inputChannels = try reader.number()
        let count = try reader.number()
        guard inputChannels == 3 else { throw .damaged("it takes \(inputChannels) channels instead of 3") }
        guard (1...Self.maximumSteps).contains(count) else { throw .damaged("it has \(count) steps") }
        var steps: [Step] = []
        var channels = inputChannels
        var kept: [(channels: Int, level: Int)] = []
        var level = 0
        for index in 1...count {
            let step = try Self.step(&reader, index: index, channels: channels)
            switch step {
            case .convolution(let shape, _, _), .depthwise(let shape, _, _):
                channels = shape.output
                level += shape.stride == 2 ? 1 : 0
            case .keep: kept.append((channels, level))
            case .add:
                guard let last = kept.popLast(), last.channels == channels, (0...1).contains(level - last.level) else {
                    throw .damaged("step \(index) adds what doesn't fit")
                }
                level = last.level
            }
            guard level <= PlateDetector.deepestLevel else {
                throw .damaged("step \(index) makes the picture too small")
            }
            steps.append(step)
        }
        guard reader.isAtEnd else { throw .damaged("it is longer than its steps") }
        guard kept.isEmpty, channels == Self.answers, level == PlateDetector.cellLevel else {
            throw .damaged("its answer has not the shape of a finder's")
        }
        self.steps = steps
    }

    private static func step(_ reader: inout Reader, index: Int, channels: Int) throws(NetworkError) -> Step {
        let kind = try reader.number()
        let shape = Shape(
            kernel: try reader.number(), stride: try reader.number(), dilation: try reader.number(),
            input: try reader.number(), output: try reader.number(), isCut: try reader.number() != 0)
        if kind == 3 { return .keep }
        if kind == 4 { return .add }
        guard kind == 1 || kind == 2 else { throw .damaged("step \(index) is of an unknown kind") }
        let isDepthwise = kind == 2
        guard [1, 3].contains(shape.kernel), [1, 2].contains(shape.stride),
            (1...FeatureMap.border).contains(shape.dilation), shape.input == channels,
            (1...maximumChannels).contains(shape.output), !isDepthwise || shape.output == shape.input,
            !isDepthwise || shape.output % 8 == 0, shape.output % 8 == 0 || shape.output == answers
        else { throw .damaged("step \(index) has an impossible shape") }
        let taps = shape.kernel * shape.kernel * (isDepthwise ? 1 : shape.input)
        let weights = try reader.halves(taps * shape.output)
        let biases = try reader.floats(shape.output)
        return isDepthwise
            ? .depthwise(shape, weights: weights, biases: biases)
            : .convolution(shape, weights: weights, biases: biases)
    }

    private struct Reader {
        let data: Data
        var offset: Int

        var isAtEnd: Bool { offset == data.count }

        mutating func number() throws(NetworkError) -> Int {
            Int(try values(1, of: UInt32.self)[0].littleEndian)
        }

        mutating func halves(_ count: Int) throws(NetworkError) -> [Float] {
            try finite(values(count, of: UInt16.self).map { Self.float(half: UInt16(littleEndian: $0)) })
        }

        mutating func floats(_ count: Int) throws(NetworkError) -> [Float] {
            try finite(values(count, of: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) })
        }

        private func finite(_ values: [Float]) throws(NetworkError) -> [Float] {
            guard values.allSatisfy(\.isFinite) else { throw .damaged("a weight is no number") }
            return values
        }

        private mutating func values<Value: FixedWidthInteger>(
            _ count: Int, of type: Value.Type
        ) throws(NetworkError) -> [Value] {
            let size = MemoryLayout<Value>.size * count
            guard offset + size <= data.count else { throw .damaged("it ends too early") }
            let found = data.withUnsafeBytes { bytes in
                (0..<count).map {
                    bytes.loadUnaligned(fromByteOffset: offset + $0 * MemoryLayout<Value>.size, as: Value.self)
                }
            }
            offset += size
            return found
        }

        /// A 16-bit float's value: `Float16` doesn't exist on every processor that the program runs on.
        private static func float(half: UInt16) -> Float {
            let sign: Float = half & 0x8000 == 0 ? 1 : -1
            let exponent = Int(half >> 10 & 0x1F)
            let fraction = Float(half & 0x3FF) / 1024
            if exponent == 31 { return .nan }
            if exponent == 0 { return sign * fraction * 0x1p-14 }
            return sign * (1 + fraction) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
        }
    }
}
