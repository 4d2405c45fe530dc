import Enforcement
import Foundation
import TestKit
import Testing

@testable import Capture

@Suite("A capture time", .timeLimit(.minutes(10)))
struct CaptureTimeTests {
    private let arrival = Instant(milliseconds: 42)

    private func read(_ picture: Data, name: String? = nil) -> CaptureTime {
        CaptureTime(picture: picture, name: name, offset: CivilTime.nepalOffset, arrival: arrival)
    }

    @Test(arguments: [true, false])
    func `comes from EXIF with its fraction and its own offset`(littleEndian: Bool) {
        let exif = Pictures.exif(
            date: "2026:11:21 10:15:30", fraction: "25", offset: "+01:00", littleEndian: littleEndian)
        let time = read(Pictures.jpeg(exif: exif), name: "20200101T000000Z.jpg")
        #expect(time == CaptureTime(Instant(iso8601: "2026-11-21T09:15:30.250Z")!, .exif))
    }

    @Test func `without an offset in EXIF is in the camera's offset`() {
        let time = read(Pictures.jpeg(exif: Pictures.exif(date: "2026:11:21 16:00:30")))
        #expect(time == CaptureTime(Instant(iso8601: "2026-11-21T10:15:30Z")!, .exif))
    }

    @Test(arguments: ["0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:01 10:00:00", "nonsense, all of it"])
    func `ignores a date in EXIF that is no date`(date: String) {
        #expect(read(Pictures.jpeg(exif: Pictures.exif(date: date))).origin == .arrival)
    }

    @Test(arguments: [
        ("BNP-A_20261121T101530.250Z.jpg", "2026-11-21T10:15:30.250Z"),
        ("20261121T101530Z.png", "2026-11-21T10:15:30Z"),
        ("20261121_101530.jpg", "2026-11-21T04:30:30Z"),
        ("2026-11-21_10-15-30.jpg", "2026-11-21T04:30:30Z"),
        ("2026-11-21T10-15-30.250+0545.jpg", "2026-11-21T04:30:30.250Z"),
        ("gate 2026-11-21T10:15:30-0300 x.jpg", "2026-11-21T13:15:30Z"),
        ("20261121101530.jpg", "2026-11-21T04:30:30Z"),
        ("PXL_20261121_101530250.jpg", "2026-11-21T04:30:30.250Z"),
        ("snap-20261121_101530-0100.jpg", "2026-11-21T04:30:30Z"),
        ("cam1-1795255530250.jpg", "2026-11-21T10:05:30.250Z"),
        ("00017_20261121_101530.jpg", "2026-11-21T04:30:30Z"),
        ("20261121_101530Zebra.jpg", "2026-11-21T04:30:30Z"),
    ])
    func `is found in a file's name`(name: String, expected: String) {
        #expect(read(Pictures.pgm(), name: name) == CaptureTime(Instant(iso8601: expected)!, .name))
    }

    @Test(arguments: [
        "photo.jpg", "20261321_101530.jpg", "20260230101530.jpg", "123456789012345.jpg", "18261121_101530.jpg", "",
        "20261121_1015.jpg", "BA1PA1234.jpg", "2026112110153012.jpg", "9999999999999.jpg",
    ])
    func `is not found in a name without one`(name: String) {
        #expect(read(Pictures.pgm(), name: name) == CaptureTime(arrival, .arrival))
    }

    @Test func `survives any damage to an EXIF block`() {
        let whole = Pictures.jpeg(exif: Pictures.exif(date: "2026:11:21 10:15:30", fraction: "25", offset: "+05:45"))
        for length in 0..<whole.count { _ = read(whole.prefix(length)) }
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                damaged[Int.random(in: 0..<90, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = read(damaged)
        }
        // A directory that points at itself, and one that claims 65,535 entries.
        _ = read(
            Pictures.jpeg(
                exif: Data("II".utf8) + [42, 0, 8, 0, 0, 0, 0xFF, 0xFF, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]))
    }
}
