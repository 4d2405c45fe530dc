import Foundation

/// Why a network's file can't be used.
package enum NetworkError: Error, Equatable, CustomStringConvertible {
    case missing(_ file: String, searched: [String])
    case notANetwork
    case otherVersion(Int)
    case damaged(String)

    package var description: String {
        switch self {
        case .missing(let file, let folders):
            "\(file) is in none of \(folders.joined(separator: ", ")). Put it there, or name its folder: "
                + "`models` in [reader], or --models"
        case .notANetwork: "this is no such network: it doesn't begin as one"
        case .otherVersion(let version):
            "the network is of version \(version), and this program reads version \(NetworkFile.version)"
        case .damaged(let what): "the network's file is damaged: \(what)"
        }
    }
}

/// A network as it lies on disk: a list of steps with their weights.
///
/// Little-endian: what it begins with (`CPFINDER`, `CPPLATES`), version, channels of the picture, number of steps (32 bits each). Then
/// each step: kind, kernel, stride, dilation, channels in, channels out, whether negatives are cut (32 bits each); of a convolution the
/// weights as 16-bit floats by row, column, channel in, channel out (a depthwise one has no channel in), and the biases as 32-bit floats.
/// `models/train/checkpost_train/net.py` writes it.
struct NetworkFile {
    static let version = 1

    /// What a network is for: how its file begins, what it takes and what its answer looks like.
    struct Purpose {
        var magic: Data
        var channels: Int

        /// How often the answer's sides are halved against the picture's.
        var columns: Int
        var rows: Int

        /// How often a side may be halved on the way.
        var deepest: Int

        /// Values of an answer's place: so many, or as many as the file says.
        var answers: Int?

        /// Whether the file goes on behind its steps.
        var hasMore: Bool
    }

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

        /// Halves the rows: of two that lie on one another the greater value stays.
        case lower
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

    let inputChannels: Int
    let steps: [Step]

    /// What the file holds behind the steps.
    let rest: Data

    init(_ data: Data, for purpose: Purpose) throws(NetworkError) {
        guard data.count <= Self.maximumBytes, data.starts(with: purpose.magic) else { throw .notANetwork }
        var reader = LittleEndianReader(data, offset: purpose.magic.count)
        let version = try reader.number()
        guard version == Self.version else { throw .otherVersion(version) }
        inputChannels = try reader.number()
        let count = try reader.number()
        guard inputChannels == purpose.channels else {
            throw .damaged("it takes \(inputChannels) channels instead of \(purpose.channels)")
        }
        guard (1...Self.maximumSteps).contains(count) else { throw .damaged("it has \(count) steps") }
        var steps: [Step] = []
        var shape = Halvings(channels: inputChannels)
        var kept: [Halvings] = []
        for index in 1...count {
            let step = try Self.step(&reader, index: index, channels: shape.channels, purpose)
            switch step {
            case .convolution(let convolution, _, _), .depthwise(let convolution, _, _):
                shape.channels = convolution.output
                shape.columns += convolution.stride == 2 ? 1 : 0
                shape.rows += convolution.stride == 2 ? 1 : 0
            case .keep: kept.append(shape)
            case .add:
                guard let last = kept.popLast(), last.canTake(shape) else {
                    throw .damaged("step \(index) adds what doesn't fit")
                }
                shape = last
            case .lower: shape.rows += 1
            }
            guard max(shape.columns, shape.rows) <= purpose.deepest else {
                throw .damaged("step \(index) makes the picture too small")
            }
            steps.append(step)
        }
        guard purpose.hasMore || reader.isAtEnd else { throw .damaged("it is longer than its steps") }
        guard kept.isEmpty, purpose.answers ?? shape.channels == shape.channels,
            shape.columns == purpose.columns, shape.rows == purpose.rows
        else { throw .damaged("its answer has not the shape that is wanted") }
        self.steps = steps
        rest = reader.rest
    }

    /// How often a picture of features was halved, and its channels.
    private struct Halvings {
        var channels: Int
        var columns = 0
        var rows = 0

        /// Whether what was kept with this shape can be added: to the same, or to half of it.
        func canTake(_ shape: Halvings) -> Bool {
            let by = shape.columns - columns
            return shape.channels == channels && (0...1).contains(by) && shape.rows - rows == by
        }
    }

    private static func step(
        _ reader: inout LittleEndianReader, index: Int, channels: Int, _ purpose: Purpose
    ) throws(NetworkError) -> Step {
        let kind = try reader.number()
        let shape = Shape(
            kernel: try reader.number(), stride: try reader.number(), dilation: try reader.number(),
            input: try reader.number(), output: try reader.number(), isCut: try reader.number() != 0)
        if kind == 3 { return .keep }
        if kind == 4 { return .add }
        if kind == 5 { return .lower }
        guard kind == 1 || kind == 2 else { throw .damaged("step \(index) is of an unknown kind") }
        let isDepthwise = kind == 2
        guard [1, 3].contains(shape.kernel), [1, 2].contains(shape.stride),
            (1...FeatureMap.border).contains(shape.dilation), shape.input == channels,
            (1...maximumChannels).contains(shape.output), !isDepthwise || shape.output == shape.input,
            !isDepthwise || shape.output % 8 == 0, shape.output % 8 == 0 || shape.output == purpose.answers
        else { throw .damaged("step \(index) has an impossible shape") }
        let taps = shape.kernel * shape.kernel * (isDepthwise ? 1 : shape.input)
        let weights = try reader.halves(taps * shape.output)
        let biases = try reader.floats(shape.output)
        return isDepthwise
            ? .depthwise(shape, weights: weights, biases: biases)
            : .convolution(shape, weights: weights, biases: biases)
    }
}
