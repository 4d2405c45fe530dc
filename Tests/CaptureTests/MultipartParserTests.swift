import Enforcement
import Foundation
import HTTPClient
import TestKit
import Testing

@testable import Capture

@Suite("A parser of camera streams", .timeLimit(.minutes(10)))
struct MultipartParserTests {
    private let pictures = (1...3).map { Pictures.jpeg(tag: UInt8($0), coded: 100 * $0) }
    private let now = Instant(milliseconds: 5)

    /// The bodies that come out when the bytes arrive in pieces of `size`.
    private func bodies(_ bytes: Data, boundary: String, size: Int) throws -> [Data] {
        var parser = MultipartParser(boundary: boundary)
        var bodies: [Data] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            bodies += try parser.feed(bytes[start..<min(start + size, bytes.count)], at: now).map(\.body)
        }
        return bodies
    }

    struct Dialect: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var boundary: String
        var delimiter: String
        var hasLength: Bool
    }

    static let dialects = [
        Dialect(testDescription: "as in the standard", boundary: "frame", delimiter: "--frame", hasLength: true),
        Dialect(testDescription: "without a length", boundary: "frame", delimiter: "--frame", hasLength: false),
        Dialect(testDescription: "dashes in the header", boundary: "--frame", delimiter: "--frame", hasLength: false),
        Dialect(testDescription: "dashes doubled", boundary: "--frame", delimiter: "----frame", hasLength: true),
        Dialect(testDescription: "no dashes at all", boundary: "frame", delimiter: "frame", hasLength: false),
        Dialect(testDescription: "no boundary named", boundary: "", delimiter: "--xyz", hasLength: false),
    ]

    @Test(arguments: dialects, [1, 7, 64, 100_000])
    func `takes every dialect apart, in pieces of any size`(dialect: Dialect, size: Int) throws {
        var bytes = Data("garbage before it\r\n".utf8)
        for picture in pictures {
            bytes += Stream.part(picture, boundary: dialect.delimiter, hasLength: dialect.hasLength)
        }
        bytes += Data("\(dialect.delimiter)\r\n".utf8)
        #expect(try bodies(bytes, boundary: dialect.boundary, size: size) == pictures)
    }

    @Test func `takes parts with bare line feeds, and a boundary straight behind a picture`() throws {
        var bytes = Data("--b\nContent-Type: image/jpeg\n\n".utf8) + pictures[0] + Data("\n--b\n\n".utf8)
        bytes += pictures[1] + Data("--b\r\n\r\n".utf8)
        #expect(try bodies(bytes, boundary: "b", size: 11) == Array(pictures.prefix(2)))
    }

    @Test func `finds its way again after a part whose length is wrong`() throws {
        let long = Data("--frame\r\nContent-Length: 5\r\n\r\n".utf8) + pictures[0] + Data("\r\n".utf8)
        let found = try bodies(long + Stream.part(pictures[1]), boundary: "frame", size: 50)
        #expect(found == [pictures[0].prefix(5), pictures[1]])
    }

    @Test func `keeps the stamp of a part`() throws {
        var parser = MultipartParser(boundary: "frame")
        let part = Stream.part(pictures[0], headers: ["X-Timestamp: 1795255530.25"])
        let found = try parser.feed(part, at: now)
        #expect(found.first?.head.timestamp == Instant(milliseconds: 1_795_255_530_250))
        #expect(found.first?.arrival == now)
    }

    @Test(arguments: [
        ("1795255530.250", 1_795_255_530_250), ("1795255530250", 1_795_255_530_250),
        ("2026-11-21T10:05:30.250Z", 1_795_255_530_250), ("1234.5", nil), ("nan", nil), ("-5", nil), ("1e300", nil),
    ])
    func `takes a stamp for a time only when it can be one`(text: String, milliseconds: Int64?) {
        #expect(HTTPHead.instant(text) == milliseconds.map { Instant(milliseconds: $0) })
    }

    @Test func `gives up a part without end, and a head without end`() throws {
        let start = Data("--frame\r\n\r\n".utf8)
        let megabyte = Data(repeating: 0x2E, count: 1 << 20)
        var endless = MultipartParser(boundary: "frame")
        _ = try endless.feed(start, at: now)
        #expect(throws: MultipartParser.Failure.partTooLarge) {
            for _ in 0..<22 { _ = try endless.feed(megabyte, at: now) }
        }
        var head = MultipartParser(boundary: "frame")
        #expect(throws: MultipartParser.Failure.headTooLarge) {
            _ = try head.feed(Data("--frame\r\n".utf8) + megabyte, at: now)
        }
        var claim = MultipartParser(boundary: "frame")
        #expect(throws: MultipartParser.Failure.partTooLarge) {
            _ = try claim.feed(Data("--frame\r\nContent-Length: 9223372036854775807\r\n\r\n".utf8), at: now)
        }
    }

    @Test func `survives noise`() {
        var generator = SeededGenerator(seed: 12)
        var readable = 0
        for _ in 0..<300 {
            var bytes = Data()
            for picture in pictures { bytes += Stream.part(picture, hasLength: Bool.random(using: &generator)) }
            for _ in 0..<8 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let found = (try? bodies(bytes, boundary: "frame", size: 37)) ?? []
            #expect(found.reduce(0) { $0 + $1.count } <= bytes.count)
            readable += found.isEmpty ? 0 : 1
        }
        // Eight bytes of noise spoil some streams, and far from all.
        #expect((100..<300).contains(readable))
    }
}
