import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("Frames of a trigger", .timeLimit(.minutes(2)))
struct TriggerFrameTests {
    private static let name = TriggerEvent.Name(boot: 0x1234, number: 126)

    /// In the order of the page.
    private static let examples: [TriggerFrame] = [
        .event(
            .init(boot: 0x1234, number: 1), overflow: 0, ageMilliseconds: 250, lane: 1, direction: .forward,
            speedTenths: 432),
        .event(name, overflow: 3, ageMilliseconds: 125, lane: 0, direction: nil, speedTenths: nil),
        .heartbeat(name, overflow: 3),
        .acknowledged(.init(boot: 0x1234, number: 1)), .refused(.damaged), .ask,
    ]

    private static func page() throws -> String {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: checkout.appending(path: "deploy/docs/trigger-protocol.md"), encoding: .utf8)
    }

    @Test func `have the checksums that the page gives`() {
        #expect(TriggerChecksum.of("123456789".utf8) == 0x906E)
        #expect(TriggerChecksum.of("A".utf8) == 0xA3F5)
        #expect(TriggerChecksum.of([0x7E, 0x7D]) == 0xCDF1)
        #expect(TriggerChecksum.of([]) == 0)
    }

    @Test func `are the bytes that the page shows, and are read from them`() throws {
        let shown = try Self.page().matches(of: /`((?:[0-9A-F]{2} ){4,}[0-9A-F]{2})`/).map { found in
            found.1.split(separator: " ").compactMap { UInt8($0, radix: 16) }
        }
        #expect(shown == Self.examples.map(\.bytes))
        var decoder = TriggerDecoder()
        #expect(shown.flatMap { decoder.feed($0) } == Self.examples.map { .frame($0) })
    }

    @Test func `are found in pieces of any size`() {
        let bytes = Self.examples.flatMap(\.bytes)
        for size in 1...9 {
            var decoder = TriggerDecoder()
            let findings = stride(from: 0, to: bytes.count, by: size).flatMap {
                decoder.feed(Array(bytes[$0..<min($0 + size, bytes.count)]))
            }
            #expect(findings == Self.examples.map { .frame($0) }, "\(size) bytes at a time")
        }
    }

    @Test func `are found behind noise, and one flag may end one and begin the next`() {
        var decoder = TriggerDecoder()
        #expect(decoder.feed([0x00, 0x55, 0xFF]) == [], "before the first flag nothing is looked at")
        #expect(decoder.feed(TriggerFrame.ask.bytes) == [.frame(.ask)])
        #expect(decoder.feed([0x11, 0x22]) == [])
        #expect(decoder.feed(TriggerFrame.ask.bytes) == [.damaged, .frame(.ask)])
        #expect(decoder.feed(Array(TriggerFrame.refused(.unknown).bytes.dropFirst())) == [.frame(.refused(.unknown))])
    }

    @Test func `with any one bit turned are never taken for another`() {
        let frame = Self.examples[0]
        for bit in 0..<frame.bytes.count * 8 {
            var bytes = frame.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            var decoder = TriggerDecoder()
            let findings = decoder.feed(bytes + TriggerFrame.ask.bytes)
            #expect(findings.last == .frame(.ask), "bit \(bit): the next one is found")
            #expect(findings.allSatisfy { $0 == .damaged || $0 == .frame(.ask) }, "bit \(bit): \(findings)")
        }
    }

    @Test func `that go on for ever keep nothing, and those of a later version are told apart`() {
        var decoder = TriggerDecoder()
        #expect(decoder.feed([0x7E] + [UInt8](repeating: 0x41, count: 100_000)) == [])
        #expect(decoder.feed(TriggerFrame.ask.bytes) == [.damaged, .frame(.ask)])
        func framed(_ content: [UInt8]) -> [UInt8] {
            let sum = TriggerChecksum.of(content)
            return [0x7E] + content + [UInt8(sum & 0xFF), UInt8(sum >> 8), 0x7E]
        }
        #expect(decoder.feed(framed([2, 0x02, 1, 0, 1, 0, 0, 0])) == [.unknown], "version 2")
        #expect(decoder.feed(framed([1, 0x44])) == [.unknown], "a kind that nobody knows")
        #expect(decoder.feed(framed([1, 0x02, 1, 0])) == [.unknown], "too short for its kind")
        #expect(
            decoder.feed(framed([1, 0x02, 1, 0, 2, 0, 3, 0, 9, 9])) == [
                .frame(.heartbeat(.init(boot: 1, number: 2), overflow: 3))
            ], "what is added at the end is passed over")
    }

    @Test func `are made of no random bytes but by a checksum that fits, and none crashes`() {
        let seed = Seed.drawn()
        var random = SeededGenerator(seed: seed)
        var decoder = TriggerDecoder()
        var found = 0
        for _ in 0..<2000 {
            let count = Int.random(in: 0...200, using: &random)
            // Flags and escapes are as frequent as on a line full of frames.
            let bytes = (0..<count).map { _ in
                Int.random(in: 0..<12, using: &random) == 0
                    ? [0x7E, 0x7D][Int.random(in: 0...1, using: &random)] : UInt8.random(in: 0...255, using: &random)
            }
            found += decoder.feed(bytes).count { if case .frame = $0 { true } else { false } }
        }
        #expect(found <= 3, "one in 65,536 may fit, and few of these make sense; seed \(seed)")
        #expect(decoder.feed([0x7E] + TriggerFrame.ask.bytes).last == .frame(.ask), "seed \(seed)")
    }
}
