import CConvolution
import Foundation
import TestKit
import Testing

@testable import Recognition

/// A small network that a test makes up: every kind of step, weights that 16-bit floats hold exactly.
private struct MadeUpNetwork {
    var data: Data
    let steps: [[Int]]
    let purpose: NetworkFile.Purpose

    static let finder = MadeUpNetwork(
        [
            [1, 3, 2, 1, 3, 8, 1], [1, 3, 2, 1, 8, 8, 1], [1, 3, 2, 1, 8, 16, 1],
            [3], [2, 3, 2, 1, 16, 16, 1], [1, 1, 1, 1, 16, 16, 0], [4],
            [3], [2, 3, 1, 3, 16, 16, 0], [4],
            [1, 1, 1, 1, 16, 5, 0],
        ], PlateDetector.purpose)

    /// Its rows are halved more often than its columns.
    static let ofStrips = MadeUpNetwork(
        [
            [1, 3, 2, 1, 1, 8, 1], [1, 3, 2, 1, 8, 16, 1], [5],
            [3], [2, 3, 1, 2, 16, 16, 1], [1, 1, 1, 1, 16, 16, 0], [4], [5],
            [1, 1, 1, 1, 16, 8, 0],
        ], WholePlateReader.purpose)

    /// The weights of each convolution: row, column, channel in, channel out, as in the file.
    var weights: [[Float]] = []
    var biases: [[Float]] = []

    private init(_ steps: [[Int]], _ purpose: NetworkFile.Purpose) {
        self.steps = steps
        self.purpose = purpose
        data = purpose.magic
        var state: UInt64 = 7
        func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int(state >> 59) - 16) / 32
        }
        data.append(words: [1, purpose.channels, steps.count])
        for step in steps {
            data.append(words: step + Array(repeating: 0, count: 7 - step.count))
            guard step.count == 7 else { continue }
            let count = step[1] * step[1] * (step[0] == 2 ? 1 : step[4]) * step[5]
            weights.append((0..<count).map { _ in next() })
            biases.append((0..<step[5]).map { _ in next() })
            for weight in weights[weights.count - 1] { data.append(word: Self.half(weight)) }
            for bias in biases[biases.count - 1] { data.append(word: bias.bitPattern) }
        }
    }

    /// A 16-bit float of a multiple of 1/32 below 1, by its definition.
    private static func half(_ value: Float) -> UInt16 {
        guard value != 0 else { return 0 }
        let sign: UInt16 = value < 0 ? 0x8000 : 0
        let fraction = UInt16((value.significand - 1) * 1024)
        return sign | UInt16(Int(value.exponent) + 15) << 10 | fraction
    }

    /// What the network should answer, worked out pixel by pixel: `picture` and the answer by row, column, channel.
    func answer(_ picture: [[[Float]]]) -> [[[Float]]] {
        var current = picture
        var kept: [[[[Float]]]] = []
        var layer = 0
        for step in steps {
            switch step[0] {
            case 3: kept.append(current)
            case 4:
                let other = kept.removeLast()
                let factor = other.count / current.count
                current = other.indices.map { y in
                    other[y].indices.map { x in
                        zip(other[y][x], current[y / factor][x / factor]).map { $0 + $1 }
                    }
                }
            case 5:
                current = (0..<current.count / 2).map { y in
                    zip(current[2 * y], current[2 * y + 1]).map { zip($0, $1).map { max($0, $1) } }
                }
            default:
                current = convolved(current, step, weights[layer], biases[layer])
                layer += 1
            }
        }
        return current
    }

    private func convolved(_ input: [[[Float]]], _ step: [Int], _ weights: [Float], _ biases: [Float]) -> [[[Float]]] {
        let (kernel, stride, dilation, channels, out) = (step[1], step[2], step[3], step[4], step[5])
        return (0..<input.count / stride).map { y in
            (0..<input[0].count / stride).map { x in
                (0..<out).map { o in
                    var sum = biases[o]
                    for row in 0..<kernel {
                        for column in 0..<kernel {
                            let fromY = y * stride + (row - kernel / 2) * dilation
                            let fromX = x * stride + (column - kernel / 2) * dilation
                            guard input.indices.contains(fromY), input[0].indices.contains(fromX) else { continue }
                            let tap = row * kernel + column
                            if step[0] == 2 {
                                sum += weights[tap * out + o] * input[fromY][fromX][o]
                            } else {
                                for c in 0..<channels {
                                    sum += weights[(tap * channels + c) * out + o] * input[fromY][fromX][c]
                                }
                            }
                        }
                    }
                    return step[6] == 1 ? max(0, sum) : sum
                }
            }
        }
    }
}

extension Data {
    fileprivate mutating func append<Word: FixedWidthInteger>(word: Word) {
        Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(words: [Int]) { for word in words { append(word: UInt32(word)) } }
}

@Suite("A convolutional network", .timeLimit(.minutes(10)))
struct NetworkTests {
    private static func pixel(_ x: Int, _ y: Int) -> [Float] {
        let start = x * 7 + y * 13
        return [start, start + 5, start + 10].map { Float($0 % 29) / 16 - 1 }
    }

    @Test(arguments: [false, true])
    func `answers what its steps say, also for a second picture of another size`(isOfStrips: Bool) throws {
        let made = isOfStrips ? MadeUpNetwork.ofStrips : .finder
        let network = ConvolutionalNetwork(try NetworkFile(made.data, for: made.purpose))
        let channels = made.purpose.channels
        for (width, height) in [(96, 64), (64, 80), (96, 64)] {
            let picture: [[[Float]]] = (0..<height).map { y in
                (0..<width).map { Array(Self.pixel($0, y).prefix(channels)) }
            }
            let map = FeatureMap()
            map.reshape(width: width, height: height, channels: channels)
            for y in 0..<height {
                for x in 0..<width { for channel in 0..<channels { map[x, y][channel] = picture[y][x][channel] } }
            }
            let expected = made.answer(picture)
            let answer = network.run(map)
            #expect(answer.width == expected[0].count && answer.height == expected.count)
            #expect(answer.width == width >> made.purpose.columns && answer.height == height >> made.purpose.rows)
            var worst: Float = 0
            for y in 0..<answer.height {
                for x in 0..<answer.width {
                    for (channel, value) in expected[y][x].enumerated() {
                        worst = max(worst, abs(answer[x, y][channel] - value) / max(1, abs(value)))
                    }
                }
            }
            #expect(worst < 1e-3)
        }
    }

    @Test(arguments: [4, 5, 8, 9, 15, 16, 33], [Seed.drawn()])
    func `every processor gives the same sums`(width: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let input = (0..<3 * 8 * (width + 2)).map { _ in Float.random(in: -1...1, using: &generator) }
        let weights = (0..<9 * 8 * 8).map { _ in Float.random(in: -1...1, using: &generator) }
        let bias = (0..<8).map { _ in Float.random(in: -1...1, using: &generator) }
        let walk = checkpost_walk(
            kernel: 3, channels: 8, step: 8, row_step: 8 * (width + 2), tap_step: 8, output_step: 8, least: 0)
        var own = [Float](repeating: -1, count: 8 * width)
        var portable = own
        checkpost_convolve(walk, input, weights, bias, &own, width)
        checkpost_convolve_portable(walk, input, weights, bias, &portable, width)
        #expect(own == portable && own.allSatisfy { $0 >= 0 } && own.contains { $0 > 0 })
        checkpost_convolve_depthwise(walk, input, weights, bias, &own, width)
        checkpost_convolve_depthwise_portable(walk, input, weights, bias, &portable, width)
        #expect(own == portable && own.allSatisfy { $0 >= 0 } && own.contains { $0 > 0 })
    }

    @Test func `says what is wrong with a file that it can't use`() {
        let good = MadeUpNetwork.finder.data
        func read(_ data: Data) throws { _ = try NetworkFile(data, for: PlateDetector.purpose) }
        #expect(throws: NetworkError.notANetwork) { try read(Data()) }
        #expect(throws: NetworkError.notANetwork) { try read(Data("a photo".utf8)) }
        #expect(throws: NetworkError.notANetwork) { try read(MadeUpNetwork.ofStrips.data) }
        #expect(throws: NetworkError.damaged("it ends too early")) { try read(good.dropLast()) }
        #expect(throws: NetworkError.damaged("it is longer than its steps")) { try read(good + Data([0])) }
        var other = good
        other[8] = 9
        #expect(throws: NetworkError.otherVersion(9)) { try read(other) }
    }

    @Test(arguments: [Seed.drawn()])
    func `takes no damaged file for a network that would run wild`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for made in [MadeUpNetwork.finder, .ofStrips] {
            for _ in 0..<400 {
                var data = made.data
                // The beginning and the shapes, which are the first numbers of each step, are what could do harm.
                for _ in 0..<3 {
                    data[Int.random(in: 8..<200, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                guard let file = try? NetworkFile(data, for: made.purpose) else { continue }
                let map = FeatureMap()
                map.reshape(width: 64, height: 64, channels: made.purpose.channels)
                map.origin.update(repeating: 0, count: 1)
                let answer = ConvolutionalNetwork(file).run(map)
                #expect(answer.width == 64 >> made.purpose.columns && answer.height == 64 >> made.purpose.rows)
            }
        }
    }
}
