import CConvolution

/// One convolution of a network, its weights laid out for vectors of eight channels.
struct Convolution {
    let shape: NetworkFile.Shape
    let isDepthwise: Bool

    /// By block of eight output channels, then as in the file: row, column, channel in; eight values each.
    private let weights: [Float]
    private let biases: [Float]

    /// Output channels in memory: the answer's five take eight places.
    var outputChannels: Int { biases.count }

    init(_ shape: NetworkFile.Shape, isDepthwise: Bool, weights: [Float], biases: [Float]) {
        self.shape = shape
        self.isDepthwise = isDepthwise
        let blocks = (shape.output + 7) / 8
        let taps = shape.kernel * shape.kernel * (isDepthwise ? 1 : shape.input)
        self.weights = (0..<blocks).flatMap { block in
            (0..<taps).flatMap { Self.eight(of: weights, from: $0 * shape.output, block, shape.output) }
        }
        self.biases = (0..<blocks).flatMap { Self.eight(of: biases, from: 0, $0, shape.output) }
    }

    /// A block's values, and zeros for the channels that it has no values for.
    private static func eight(of values: [Float], from start: Int, _ block: Int, _ count: Int) -> [Float] {
        (block * 8..<block * 8 + 8).map { $0 < count ? values[start + $0] : 0 }
    }

    /// - Precondition: `input` has the shape's input channels, and sides that the stride divides; the output is at least four
    ///   places wide.
    func run(_ input: FeatureMap, into output: FeatureMap) {
        precondition(input.width >= 4 * shape.stride && input.height >= shape.stride, "the picture is too small")
        output.reshape(
            width: input.width / shape.stride, height: input.height / shape.stride, channels: outputChannels)
        let reach = shape.kernel / 2 * shape.dilation
        let walk = checkpost_walk(
            kernel: shape.kernel, channels: shape.input, step: shape.stride * input.channels,
            row_step: shape.dilation * input.stride, tap_step: shape.dilation * input.channels,
            output_step: output.channels, least: shape.isCut ? 0 : -.greatestFiniteMagnitude)
        let taps = shape.kernel * shape.kernel * (isDepthwise ? 1 : shape.input)
        for y in 0..<output.height {
            let row = input[-reach, y * shape.stride - reach]
            let target = output[0, y]
            for block in 0..<biases.count / 8 {
                weights.withUnsafeBufferPointer { weights in
                    biases.withUnsafeBufferPointer { biases in
                        guard let weights = weights.baseAddress, let biases = biases.baseAddress else { return }
                        let weight = weights + block * taps * 8
                        let bias = biases + block * 8
                        let place = target + block * 8
                        if isDepthwise {
                            checkpost_convolve_depthwise(walk, row + block * 8, weight, bias, place, output.width)
                        } else {
                            checkpost_convolve(walk, row, weight, bias, place, output.width)
                        }
                    }
                }
            }
        }
    }
}
