import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("The list of passages", .timeLimit(.minutes(10)))
struct PassageQueryTests {
    private func plates(_ store: Store, _ filter: PassageFilter, limit: Int = 100, offset: Int = 0) throws -> [String] {
        try store.passages.list(filter, limit: limit, offset: offset).map(\.passage.plate.compact)
    }

    @Test func `is the newest first, a page at a time`() throws {
        let test = try TestStore()
        for number in 0..<5 {
            try test.store.passages.record(samplePassage("BA 1 PA \(number)", at: Double(number)), at: minute(9))
        }
        #expect(try plates(test.store, PassageFilter(), limit: 2) == ["BA1PA4", "BA1PA3"])
        #expect(try plates(test.store, PassageFilter(), limit: 2, offset: 4) == ["BA1PA0"])
        let span = PassageFilter(from: minute(1), until: minute(3))
        #expect(try plates(test.store, span) == ["BA1PA2", "BA1PA1"])
    }

    @Test func `finds a part of a plate, and with look-alikes what was read wrong`() throws {
        let test = try TestStore()
        for plate in ["BA 1 PA 1284", "BA 1 PA 7777", "UP 32 AB 1204"] {
            try test.store.passages.record(samplePassage(plate), at: minute(0))
        }
        #expect(try plates(test.store, PassageFilter(platePart: "pa 12")) == ["BA1PA1284"])
        #expect(try plates(test.store, PassageFilter(platePart: "A1PA12B4")).isEmpty)
        #expect(try plates(test.store, PassageFilter(platePart: "A1PA12B4", includesLookAlikes: true)) == ["BA1PA1284"])
        #expect(try plates(test.store, PassageFilter(platePart: "%")).isEmpty)
        #expect(try plates(test.store, PassageFilter(platePart: "*", includesLookAlikes: true)).isEmpty)
        #expect(try plates(test.store, PassageFilter(platePart: "[", includesLookAlikes: true)).isEmpty)
        #expect(try plates(test.store, PassageFilter(platePart: "' OR 1 --")).isEmpty)
    }

    @Test func `tells matched, lawful and withdrawn passages apart`() throws {
        let test = try TestStore()
        let lonely = samplePassage("BA 1 PA 1")
        let lawful = samplePassage("BA 1 PA 2")
        let fast = samplePassage("BA 1 PA 3")
        let gone = samplePassage("BA 1 PA 4")
        for passage in [lonely, lawful, fast, gone] { try test.store.passages.record(passage, at: minute(0)) }
        for (passage, minutes) in [(lawful, 100.0), (fast, 30)] {
            let remote = sampleRemote(passage.plate.canonical, at: minutes)
            try test.store.otherPost.upsert([remote], at: minute(200))
            let match = Match(MatchablePassage(passage), remote, certainty: .exact)
            #expect(
                try test.store.matches.save(match, violation: Violation(match, on: banke, id: UUID()), at: minute(200)))
        }
        try test.store.passages.withdraw(clientID: gone.clientID, reason: "A test.", by: "ram", at: minute(5))
        #expect(Set(try plates(test.store, PassageFilter(isMatched: true))) == ["BA1PA2", "BA1PA3"])
        #expect(try plates(test.store, PassageFilter(hasViolation: true)) == ["BA1PA3"])
        #expect(try plates(test.store, PassageFilter(isMatched: false, includesWithdrawn: false)) == ["BA1PA1"])
        #expect(try plates(test.store, PassageFilter(vehicleType: .bus)).isEmpty)

        let counts = try test.store.figures.counts(from: minute(-60), until: minute(60))
        #expect(counts.passages == 3)
        #expect(counts.matched == 2)
        #expect(counts.speeding == 1)
        #expect(counts.byVehicleType == ["motorcycle": 3])
    }

    @Test func `is exported whole and in order, though many have one time`() throws {
        let test = try TestStore()
        let count = PassageTable.exportPage * 2 + 3
        try test.store.frames.commit(
            FrameCommit(
                camera: "gate",
                // Thirty of each moment: pages end between passages of one time.
                recordings: (0..<count).map {
                    .init(passage: samplePassage("BA 1 PA \($0)", at: Double($0 / 30)), sighting: nil)
                },
                at: minute(0)))
        var seen: [UUID] = []
        var times: [Instant] = []
        try test.store.passages.forEach(PassageFilter()) {
            seen.append($0.id)
            times.append($0.passage.recordedAt)
        }
        #expect(seen.count == count)
        #expect(Set(seen).count == count)
        #expect(times == times.sorted())
    }

    @Test func `finds a passage by the beginning of its id`() throws {
        let test = try TestStore()
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(0))
        let prefix = String(passage.clientID.uuidString.prefix(6))
        #expect(try test.store.passages.list(clientIDPrefix: prefix).map(\.id) == [passage.clientID])
        #expect(try test.store.passages.list(clientIDPrefix: "zz").isEmpty)
    }
}
