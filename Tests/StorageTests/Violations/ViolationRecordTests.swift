import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("A violation on record", .timeLimit(.minutes(10)))
struct ViolationRecordTests {
    private func speeder(_ test: TestStore) throws -> Violation {
        let own = samplePassage()
        let remote = sampleRemote(at: 0)
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([remote], at: minute(1))
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        let violation = try #require(Violation(match, on: banke, id: UUID()))
        #expect(try test.store.matches.save(match, violation: violation, at: minute(1)))
        return violation
    }

    @Test func `keeps an infinite speed as no speed`() throws {
        let test = try TestStore()
        let violation = try speeder(test)
        #expect(violation.calculatedSpeedKmh == nil)
        #expect(try test.store.violations.violation(id: violation.id)?.violation == violation)
    }

    @Test func `holds the last outcome and keeps the earlier ones`() throws {
        let test = try TestStore()
        let violation = try speeder(test)
        let warned = Outcome(kind: .warned, recordedBy: "ram", recordedAt: minute(2))
        let fined = Outcome(kind: .fined, fineAmount: 1500, notes: "Paid.", recordedBy: "ram", recordedAt: minute(3))
        try test.store.violations.record(warned, ofViolation: violation.id)
        try test.store.violations.record(fined, ofViolation: violation.id)
        #expect(try test.store.violations.violation(id: violation.id)?.outcome == fined)
        #expect(try test.store.violations.outcomes(ofViolation: violation.id) == [fined, warned])
        #expect(try test.store.violations.list(ViolationFilter(hasOutcome: false)).isEmpty)
        #expect(try test.store.queue.entries().map(\.entity) == [.passage, .outcome, .outcome])
        #expect(throws: StoreError.self) { try test.store.violations.record(warned, ofViolation: UUID()) }
    }

    @Test func `says when its vehicle is exempt`() throws {
        let test = try TestStore()
        let violation = try speeder(test)
        try test.store.exemptPlates.add(Plate(canonical: "BA 1 PA 1234"), reason: "Ambulance", at: minute(0))
        #expect(try test.store.violations.violation(id: violation.id)?.exemptReason == "Ambulance")
        #expect(try test.store.exemptPlates.remove(Plate(canonical: "BA1PA1234")))
        #expect(try test.store.exemptPlates.list().isEmpty)
        try test.store.listedPlates.replace([
            ListedPlate(
                kind: .exempt, plate: Plate(canonical: "BA 1 PA 1234"), reason: "The park's own", listedAt: minute(0))
        ])
        #expect(try test.store.violations.list().map(\.exemptReason) == ["The park's own"])
    }
}
