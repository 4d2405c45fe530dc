/// One convolution of a network, its weights laid out for vectors of eight channels.
///
/// Values of four places are worked out at once for eight channels: their sums stay in registers while the window's values go by.
/// Products are added without fusing, so that every processor gives the same sums.
struct Convolution {
    let shape: NetworkFile.Shape
    let isDepthwise: Bool

    /// By block of eight output channels, then as in the file: row, column, channel in.
    private let weights: [SIMD8<Float>]
    private let biases: [SIMD8<Float>]

    /// Output channels in memory: the answer's five take eight places.
    var outputChannels: Int { biases.count * 8 }

    init(_ shape: NetworkFile.Shape, isDepthwise: Bool, weights: [Float], biases: [Float]) {
        self.shape = shape
        self.isDepthwise = isDepthwise
        let blocks = (shape.output + 7) / 8
        let taps = shape.kernel * shape.kernel * (isDepthwise ? 1 : shape.input)
        var packed: [SIMD8<Float>] = []
        for block in 0..<blocks {
            for tap in 0..<taps {
                packed.append(Self.eight(of: weights, from: tap * shape.output, block, shape.output))
            }
        }
        self.weights = packed
        self.biases = (0..<blocks).map { Self.eight(of: biases, from: 0, $0, shape.output) }
    }

    private static func eight(of values: [Float], from start: Int, _ block: Int, _ count: Int) -> SIMD8<Float> {
        var result = SIMD8<Float>(repeating: 0)
        for lane in 0..<min(8, count - block * 8) { result[lane] = values[start + block * 8 + lane] }
        return result
    }

    /// - Precondition: `input` has the shape's input channels, and sides that the stride divides; the output is at least four
    ///   places wide.
    func run(_ input: FeatureMap, into output: FeatureMap) {
        precondition(input.width >= 4 * shape.stride && input.height >= shape.stride, "the picture is too small")
        output.reshape(
            width: input.width / shape.stride, height: input.height / shape.stride, channels: outputChannels)
        weights.withUnsafeBufferPointer { weights in
            biases.withUnsafeBufferPointer { biases in
                guard let weights = weights.baseAddress, let biases = biases.baseAddress else { return }
                if isDepthwise {
                    runDepthwise(input, output, weights, biases)
                } else {
                    runFull(input, output, weights, biases)
                }
            }
        }
    }

    private func runFull(
        _ input: FeatureMap, _ output: FeatureMap, _ weights: UnsafePointer<SIMD8<Float>>,
        _ biases: UnsafePointer<SIMD8<Float>>
    ) {
        let kernel = shape.kernel
        let channels = shape.input
        let taps = kernel * kernel * channels
        let (reach, step, rowStep, tapStep, least) = walk(over: input)
        for y in 0..<output.height {
            let row = input[-reach, y * shape.stride - reach]
            let target = output[0, y]
            for block in 0..<outputChannels / 8 {
                let blockWeights = weights + block * taps
                let bias = biases[block]
                var x = 0
                while x < output.width {
                    // The last four may overlap the four before: they are worked out twice, to the same values.
                    let first = min(x, output.width - 4)
                    let start = UnsafePointer(row + first * step)
                    var sum0 = bias
                    var sum1 = bias
                    var sum2 = bias
                    var sum3 = bias
                    var weight = blockWeights
                    for tapRow in 0..<kernel {
                        for tap in 0..<kernel {
                            let place = start + tapRow * rowStep + tap * tapStep
                            for channel in 0..<channels {
                                let factor = weight[channel]
                                sum0 += factor * place[channel]
                                sum1 += factor * place[step &+ channel]
                                sum2 += factor * place[2 &* step &+ channel]
                                sum3 += factor * place[3 &* step &+ channel]
                            }
                            weight += channels
                        }
                    }
                    let out = target + first * output.channels + block * 8
                    store(sum0, least, out)
                    store(sum1, least, out + output.channels)
                    store(sum2, least, out + 2 * output.channels)
                    store(sum3, least, out + 3 * output.channels)
                    x += 4
                }
            }
        }
    }

    private func runDepthwise(
        _ input: FeatureMap, _ output: FeatureMap, _ weights: UnsafePointer<SIMD8<Float>>,
        _ biases: UnsafePointer<SIMD8<Float>>
    ) {
        let kernel = shape.kernel
        let taps = kernel * kernel
        let (reach, step, rowStep, tapStep, least) = walk(over: input)
        for y in 0..<output.height {
            let row = input[-reach, y * shape.stride - reach]
            let target = output[0, y]
            for block in 0..<outputChannels / 8 {
                let blockWeights = weights + block * taps
                for x in 0..<output.width {
                    var sum = biases[block]
                    let start = row + x * step + block * 8
                    for tapRow in 0..<kernel {
                        for tap in 0..<kernel {
                            let place = UnsafeRawPointer(start + tapRow * rowStep + tap * tapStep)
                            sum += blockWeights[tapRow * kernel + tap] * place.loadUnaligned(as: SIMD8<Float>.self)
                        }
                    }
                    store(sum, least, target + x * output.channels + block * 8)
                }
            }
        }
    }

    /// How far the kernel reaches beyond its middle, in places; what one place to the right, one row and one tap of the kernel are, in
    /// values of the input; and the least that is given.
    private func walk(
        over input: FeatureMap
    ) -> (reach: Int, step: Int, rowStep: Int, tapStep: Int, least: SIMD8<Float>) {
        (
            shape.kernel / 2 * shape.dilation, shape.stride * input.channels, shape.dilation * input.stride,
            shape.dilation * input.channels, SIMD8(repeating: shape.isCut ? 0 : -.greatestFiniteMagnitude)
        )
    }

    @inline(__always)
    private func store(_ sum: SIMD8<Float>, _ least: SIMD8<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(
            of: sum.replacing(with: least, where: sum .< least), as: SIMD8<Float>.self)
    }
}
