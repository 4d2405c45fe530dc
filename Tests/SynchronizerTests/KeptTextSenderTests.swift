import Enforcement
import Foundation
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("Handing in what was kept for other boxes", .timeLimit(.minutes(5)))
struct KeptTextSenderTests {
    private static func text(_ number: Int64) throws -> String {
        let key = try #require(
            TextKey(number: 1, secret: Secret(String(repeating: "5a", count: 32)), lastTextNumber: 0))
        return try SignedSMSEncoder.encode(
            SignedSMS(
                checkpostCode: "BNP-B", number: number, rangerPhoneSuffix: "0000",
                entries: [
                    .init(
                        compactPlate: "BA1PA\(1000 + number)", vehicleType: .car,
                        recordedAt: Instant(milliseconds: 1_795_255_200_000), clock: .synchronised)
                ]), key: key)
    }

    private static func keep(_ numbers: ClosedRange<Int64>, in rig: Rig) throws {
        for number in numbers { _ = try rig.store.keptTexts.keep(text(number), of: "k", at: rig.clock.now) }
    }

    private static func asked(_ rig: Rig) -> [String] {
        rig.server.asked.filter { $0.path == ParkFunction.handInText.databasePath }.compactMap {
            try? JSONDecoder().decode(HandedText.self, from: $0.body).text
        }
    }

    private static func fail(_ rig: Rig, status: Int, times: Int = 1) {
        rig.server.fail(
            ParkFunction.handInText.databasePath, .answer(Answered.json(["message": "x"], status: status)), times: times
        )
    }

    @Test func `goes in order, and each is one row`() throws {
        let rig = try Rig()
        try Self.keep(1...120, in: rig)
        try rig.run(for: .minutes(5))
        #expect(try Self.asked(rig) == (1...120).map(Self.text))
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 120)
    }

    @Test func `waits while the server is unwell, and holds up nothing`() throws {
        let rig = try Rig()
        try Self.keep(1...3, in: rig)
        Self.fail(rig, status: 500, times: 2)
        try rig.record("BA 1 PA 7")
        try rig.run()
        #expect(try rig.store.queue.counts()[.synced] == 1)
        try rig.run(for: .minutes(10))
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 4)
    }

    @Test func `passes over the one that the server can't take`() throws {
        let rig = try Rig()
        try Self.keep(1...3, in: rig)
        Self.fail(rig, status: 500)
        try rig.run(for: .minutes(10))
        #expect(try Self.asked(rig) == [1, 2, 3, 1].map(Self.text))
    }

    @Test(arguments: [400, 409, 422]) func `leaves out the one that the server won't have`(status: Int) throws {
        let rig = try Rig()
        try Self.keep(1...3, in: rig)
        Self.fail(rig, status: status)
        try rig.run(for: .minutes(10))
        #expect(try Self.asked(rig) == (1...3).map(Self.text))
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 2)
    }

    @Test func `goes on when the account may again`() throws {
        let rig = try Rig()
        try Self.keep(1...2, in: rig)
        Self.fail(rig, status: 403, times: 3)
        try rig.run(for: .minutes(20))
        #expect(Self.asked(rig).count == 5, "three were refused")
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 2)
    }

    @Test func `is tried once an hour at a server that takes none, until it does`() throws {
        let rig = try Rig()
        try Self.keep(1...2, in: rig)
        Self.fail(rig, status: 404, times: 2)
        try rig.run(for: .minutes(50))
        #expect(Self.asked(rig).count == 1)
        #expect(try rig.store.keptTexts.count() == 2)
        try rig.run(for: .minutes(100))
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(Self.asked(rig).count == 4)
    }
}
