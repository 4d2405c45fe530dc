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

    private static func asked(_ rig: Rig) -> [HandedTexts] {
        rig.server.asked.filter { $0.path == ParkFunction.handInTexts.databasePath }.compactMap {
            try? JSONDecoder().decode(HandedTexts.self, from: $0.body)
        }
    }

    @Test func `goes twenty at a time and in order, and each is one row`() throws {
        let rig = try Rig()
        try Self.keep(1...45, in: rig)
        try rig.run()
        #expect(Self.asked(rig).map(\.texts.count) == [20, 20, 5])
        #expect(try Self.asked(rig).flatMap(\.texts) == (1...45).map(Self.text))
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 45)
    }

    @Test func `waits while the server is unwell, and holds up nothing`() throws {
        let rig = try Rig()
        try Self.keep(1...3, in: rig)
        rig.server.fail(
            ParkFunction.handInTexts.databasePath, .answer(Answered.json(["message": "x"], status: 500)), times: 2)
        try rig.record("BA 1 PA 7")
        try rig.run()
        #expect(try rig.store.queue.counts()[.synced] == 1)
        try rig.run(for: .minutes(10))
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 4)
    }

    @Test func `leaves out the one that the server won't have`() throws {
        let rig = try Rig()
        try Self.keep(1...1, in: rig)
        try rig.run()
        try Self.keep(2...4, in: rig)
        let refusal = Answered.json(["message": "x"], status: 400)
        rig.server.fail(ParkFunction.handInTexts.databasePath, .answer(refusal), times: 2)
        try rig.run(for: .minutes(10))
        #expect(Self.asked(rig).map(\.texts.count) == [1, 3, 1, 1, 1])
        #expect(try rig.store.keptTexts.count() == 0)
        #expect(rig.server.rows(.passages).count == 3)
    }

    @Test func `is tried no more at a server that takes none, and they stay`() throws {
        let rig = try Rig()
        try Self.keep(1...2, in: rig)
        let missing = Answered.json(["message": "x"], status: 404)
        rig.server.fail(ParkFunction.handInTexts.databasePath, .answer(missing), times: 100)
        try rig.run(for: .minutes(30))
        #expect(Self.asked(rig).count == 1)
        #expect(try rig.store.keptTexts.count() == 2)
    }
}
