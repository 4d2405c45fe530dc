import Enforcement
import Foundation

/// The alert sounds, computed: five that nobody takes for each other, loud where ears and small speakers are best (1 to 3 kHz).
package enum AlertSound {
    static let sampleRate = 8000

    /// Speeding: quick high double beeps. Came out late: a slow siren that rises and falls. Still inside: two long low calls. Wanted: three
    /// steps upwards. Closed: one tone, again and again.
    package static func wave(_ finding: RangerAlert.Finding) -> Data {
        switch finding {
        case .speeding: speeding
        case .late: late
        case .inside: inside
        case .wanted: wanted
        case .closed: closed
        }
    }

    private static let inside: Data = wav(
        tone(seconds: 0.55) { _ in 880 } + silence(seconds: 0.12) + tone(seconds: 0.55) { _ in 660 }
            + silence(seconds: 0.3))

    private static let wanted: Data = wav(
        (0..<3).flatMap { step in tone(seconds: 0.16) { _ in [1200, 1600, 2400][step] } + silence(seconds: 0.05) }
            + tone(seconds: 0.5) { _ in 2400 } + silence(seconds: 0.35))

    private static let closed: Data = wav(
        (0..<2).flatMap { _ in tone(seconds: 0.34) { _ in 1000 } + silence(seconds: 0.2) })

    private static let speeding: Data = {
        var samples: [Int16] = []
        for beep in 0..<8 {
            samples += tone(seconds: 0.09) { _ in beep.isMultiple(of: 2) ? 2100 : 2800 }
            samples += silence(seconds: beep % 4 == 3 ? 0.18 : 0.03)
        }
        return wav(samples)
    }()

    private static let late: Data = wav(
        tone(seconds: 0.9) { 700 + 700 * $0 } + tone(seconds: 0.9) { 1400 - 700 * $0 } + silence(seconds: 0.15))

    /// A tone, soft at both ends, so that it doesn't click. A low one has its third harmonic, which carries further.
    ///
    /// - Parameter frequency: in Hz, at a place from 0 to 1 in the tone.
    private static func tone(seconds: Double, frequency: (Double) -> Double) -> [Int16] {
        let count = Int(seconds * Double(sampleRate))
        var phase = 0.0
        return (0..<count).map { index in
            let hertz = frequency(Double(index) / Double(count))
            phase += 2 * .pi * hertz / Double(sampleRate)
            let harmonic = hertz * 6 < Double(sampleRate) ? sin(3 * phase) / 4 : 0
            let edge = min(1, Double(min(index, count - index)) / 80)
            return Int16((sin(phase) - harmonic) / 1.25 * 32_000 * edge)
        }
    }

    private static func silence(seconds: Double) -> [Int16] {
        Array(repeating: 0, count: Int(seconds * Double(sampleRate)))
    }

    /// A RIFF file of one channel, 16 bits, little-endian.
    private static func wav(_ samples: [Int16]) -> Data {
        let bytes = UInt32(samples.count * 2)
        var file = Data("RIFF".utf8)
        func append(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) } }
        func append(short number: UInt16) { withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) } }
        append(36 + bytes)
        file.append(contentsOf: Data("WAVEfmt ".utf8))
        append(16)
        append(short: 1)
        append(short: 1)
        append(UInt32(sampleRate))
        append(UInt32(sampleRate * 2))
        append(short: 2)
        append(short: 16)
        file.append(contentsOf: Data("data".utf8))
        append(bytes)
        for sample in samples { withUnsafeBytes(of: sample.littleEndian) { file.append(contentsOf: $0) } }
        return file
    }
}
