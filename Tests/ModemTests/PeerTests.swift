import Foundation
import TestKit
import Testing

@testable import Modem

/// Two other implementations read and write the same PDUs. They come with Tests/ModemTests/Peers/install.
@Suite("SMS PDUs, compared with gammu and python-gsmmodem", .enabled(if: Peers.areInstalled), .timeLimit(.minutes(10)))
struct PeerTests {
    @Test func `agree byte for byte over three thousand random texts and numbers`() throws {
        var random = SeededGenerator(seed: 40)
        var lines = Data()
        let count = 3000
        for _ in 0..<count {
            let number = Peers.randomNumber(&random)
            let text = Peers.randomText(&random)
            let reference = random.byte()
            let submit = try SMSSubmit(
                to: try #require(PhoneNumber(number)), text: text, concatenationReference: reference)
            let line = Peers.Line(number: number, text: text, reference: Int(reference), parts: submit.parts.map(\.hex))
            lines += try JSONEncoder().encode(line) + Data("\n".utf8)
        }
        let output = try Peers.run(["compare"], input: lines)
        let verdict = try JSONDecoder().decode(Peers.Verdict.self, from: output)
        #expect(verdict.compared == count)
        #expect(verdict.withGsmmodem > 800)
        #expect(verdict.differences == 0, "\(verdict.first.joined(separator: "\n"))")
    }

    @Test func `are read the same when they were received`() throws {
        let output = try Peers.run(["deliveries", "2000", "7"], input: Data())
        let lines = output.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 2000)
        for line in lines {
            let expected = try JSONDecoder().decode(Peers.Delivery.self, from: line)
            guard case .delivery(let delivery) = try SMSIncoming(hex: expected.hex) else {
                Issue.record("\(expected.hex) is no delivery")
                continue
            }
            #expect(delivery.text == expected.text)
            #expect(delivery.sender.description == expected.number)
        }
    }
}

enum Peers {
    struct Line: Encodable {
        var number: String
        var text: String
        var reference: Int
        var parts: [String]
    }

    struct Verdict: Decodable {
        var compared: Int
        var withGsmmodem: Int
        var differences: Int
        var first: [String]
    }

    struct Delivery: Decodable {
        var number: String
        var text: String
        var hex: String
    }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    /// Not standardised: that would follow the link to the system's interpreter, which does not see the environment.
    private static let python = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/modem-peers/bin/python")

    static var areInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    /// Runs the script with `input` from a file, so that neither side can fill a pipe and wait for the other.
    static func run(_ arguments: [String], input: Data) throws -> Data {
        let directory = FileManager.default.temporaryDirectory.appending(path: "modem-peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let inputFile = directory.appending(path: "in")
        let outputFile = directory.appending(path: "out")
        try input.write(to: inputFile)
        try Data().write(to: outputFile)
        let process = Process()
        process.executableURL = python
        process.arguments = [tests.appending(path: "Peers/peers.py").path] + arguments
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try Data(contentsOf: outputFile)
    }

    static func randomNumber(_ random: inout SeededGenerator) -> String {
        let digits = (0..<(3 + random.below(13))).map { _ in String(random.below(10)) }.joined()
        // A national number that starts with 00 is an international one.
        return random.below(2) == 0 ? "+1" + digits : "9" + digits
    }

    private static let sevenBit = Array(
        "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCXYZÄÖÑÜ§¿abcxyzäöñüà^{}\\[~]|€")
    private static let nepali = Array("नमस्तेबा १२३४ abc ज च प".unicodeScalars)

    static func randomText(_ random: inout SeededGenerator) -> String {
        switch random.below(10) {
        case 0: return (0..<(1 + random.below(300))).map { _ in String(nepali[random.below(nepali.count)]) }.joined()
        case 1: return (0..<(1 + random.below(60))).map { _ in random.below(3) == 0 ? "🐅" : "x" }.joined() + "न"
        case 2:
            return (0..<(1 + random.below(700))).map { _ in String(sevenBit[random.below(sevenBit.count)]) }.joined()
        case 3, 4, 5:
            return "V1|BNP-A|BA\(random.below(20))PA\(random.below(9999))|CAR|17952555\(10 + random.below(90))|4321"
        default:
            return (0..<(1 + random.below(160))).map { _ in String(sevenBit[random.below(sevenBit.count)]) }.joined()
        }
    }
}
