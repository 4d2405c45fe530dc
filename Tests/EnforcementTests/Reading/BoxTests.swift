import Foundation
import Testing

@testable import Enforcement

@Suite("A box", .timeLimit(.minutes(5)))
struct BoxTests {
    private let box = Box(x: 10, y: 20, width: 100, height: 40)

    @Test(arguments: [
        (Box(x: 10, y: 20, width: 100, height: 40), 1.0), (Box(x: 60, y: 20, width: 100, height: 40), 1.0 / 3.0),
        (Box(x: 110, y: 20, width: 100, height: 40), 0.0), (Box(x: 900, y: 900, width: 9, height: 9), 0.0),
        (Box(x: 10, y: 20, width: 0, height: 0), 0.0),
    ])
    func `overlaps as intersection over union`(other: Box, overlap: Double) {
        #expect(box.overlap(other) == overlap)
        #expect(other.overlap(box) == overlap)
    }

    @Test func `of no size overlaps nothing, itself neither`() {
        let empty = Box(x: 5, y: 5, width: 0, height: 0)
        #expect(empty.overlap(empty) == 0)
    }

    @Test func `grows to its picture's edge and no further`() {
        #expect(box.grown(byX: 20, byY: 5, within: 640, 480) == Box(x: 0, y: 15, width: 130, height: 50))
        #expect(box.grown(byX: 20, byY: 5, within: 100, 50) == Box(x: 0, y: 15, width: 100, height: 35))
    }

    @Test func `covers two boxes with one`() {
        #expect(box.union(Box(x: 0, y: 30, width: 5, height: 90)) == Box(x: 0, y: 20, width: 110, height: 100))
    }

    @Test func `is written as x, y, width and height`() throws {
        let data = try JSONEncoder().encode(box)
        #expect(String(decoding: data, as: UTF8.self) == "[10,20,100,40]")
        #expect(try JSONDecoder().decode(Box.self, from: data) == box)
    }

    @Test(arguments: ["[0,0,-1,5]", "[0,0,5,-1]", "[9223372036854775807,0,1,1]", "[0,0,5]", "{}"])
    func `refuses what is no place in a picture`(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Box.self, from: Data(json.utf8)) }
    }
}
