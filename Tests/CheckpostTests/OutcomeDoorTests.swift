import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance
@testable import Watch

/// Outcomes and look-alikes on the command line, beside the console's API.
@Suite("What a ranger did, through the console and the command line", .timeLimit(.minutes(15)), .serialized)
struct OutcomeDoorTests {
    private let box: ConsoleBox
    private let store: Store
    private let client: WatchClient
    private let noon = BoxClock.now - .hours(2)

    init() async throws { (box, store, client) = try await ConsoleBox.signedIn() }

    /// A vehicle at this post and one at the other, whose plates are equal or look alike.
    private func pair(_ own: String, _ other: String, minutesAgo: Double) throws -> Match {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: own), plateRaw: own, vehicleType: .car, checkpostCode: "BNP-B",
            recordedAt: noon - .minutes(minutesAgo), clockState: .simulated, confidence: 0.9, origin: .camera)
        try store.passages.record(passage, at: noon)
        let remote = MatchablePassage(
            clientID: UUID(), plate: Plate(canonical: other), vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: noon - .minutes(minutesAgo + 40), clockState: .simulated)
        try store.otherPost.upsert([remote], at: noon)
        return Match(
            remote, MatchablePassage(passage), certainty: own == other ? .exact : .lookAlike)
    }

    private func violation(_ plate: String, minutesAgo: Double) throws -> Violation {
        let match = try pair(plate, plate, minutesAgo: minutesAgo)
        let segment = Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
        let violation = try #require(Violation(match, on: segment, id: UUID()))
        // The running appliance may have matched the two already.
        if try store.matches.save(match, violation: violation, at: noon) { return violation }
        return try #require(try store.violations.list().map(\.violation).first { $0.plate == violation.plate })
    }

    @Test(
        arguments: [
            ("fined", "1,500", "paid at the gate"), ("let_go", nil, nil), ("not_found", nil, "gone"),
        ] as [(String, String?, String?)])
    func `an outcome is the same record through both doors`(kind: String, fine: String?, notes: String?) async throws {
        let plates = ["BA 1 PA 1001", "BA 1 PA 1002"]
        let ids = try plates.enumerated().map { try violation($1, minutesAgo: Double($0) * 2).id }
        var fields = ["violation_id": ids[0].uuidString.lowercased(), "kind": kind]
        fields["fine_amount"] = fine
        fields["notes"] = notes
        try client.post("outcomes", fields)
        var arguments = ["outcomes", "record", String(ids[1].uuidString.lowercased().prefix(8)), kind, "--by", "tek"]
        if let fine { arguments += ["--fine", fine] }
        if let notes { arguments += ["--notes", notes] }
        let result = try await box.run(arguments)
        #expect(result.status == 0, "\(result.errors)")
        let outcomes = try ids.map { try #require(try store.violations.outcomes(ofViolation: $0).first) }
        #expect(outcomes[0].kind == outcomes[1].kind && outcomes[0].fineAmount == outcomes[1].fineAmount)
        #expect(outcomes[0].notes == outcomes[1].notes && outcomes[0].recordedBy == outcomes[1].recordedBy)
        let alerts = ids.map { "violation/\($0.uuidString.lowercased())" }
        #expect(try store.alerts.touches(among: alerts).filter(\.value.isSeen).count == 2, "they sound no more")
    }

    @Test func `an outcome that another replaces stays on record, and is listed`() async throws {
        let id = try violation("BA 1 PA 2001", minutesAgo: 0).id.uuidString.lowercased()
        #expect(try await box.run(["outcomes", "record", id, "warned", "--by", "sita"]).status == 0)
        let second = try await box.run(["outcomes", "record", id, "fined", "--fine", "500", "--by", "hari"])
        #expect(second.output.contains("instead of warned by sita"), "\(second.output)")
        let listed = try await box.run(["outcomes", "list", id, "--json"]).objects
        #expect(listed.map { $0["outcome_type"] as? String } == ["fined", "warned"])
        #expect(try await box.run(["outcomes"]).output.contains("BA 1 PA 2001"))
        #expect(try await box.run(["violations"]).output.contains(id.prefix(8)))
    }

    @Test(arguments: [
        (["outcomes", "record", "ffffffff", "warned"], 1, "There is no violation ffffffff."),
        (["outcomes", "record", "ff", "warned"], 1, "too short"),
        (["outcomes", "record", "ffffffff", "hanged"], 2, "hanged"),
        (["outcomes", "record", "ffffffff", "fined"], 2, "--fine 1,500"),
        (["outcomes", "record", "ffffffff", "warned", "--fine", "5"], 2, "only for fined"),
        (["lookalikes", "one", "999"], 1, "judged already"), (["lookalikes", "two", "999"], 1, "999"),
    ])
    func `what can't be is refused with what to do`(arguments: [String], status: Int, says: String) async throws {
        let result = try await box.run(arguments)
        #expect(Int(result.status) == status && result.errors.contains(says), "\(result.errors)")
    }

    @Test func `plates that look alike are judged alike through both doors`() async throws {
        var corrections: [String] = []
        for (number, isCommand) in [true, false].enumerated() {
            let match = try pair("BA 1 PA 300\(number * 3)", "8A 1 PA 300\(number * 3)", minutesAgo: Double(number) * 3)
            try store.matches.savePossible([match], at: noon)
            let id =
                "\(try #require(try store.matches.possible().first { $0.match.exit.clientID == match.exit.clientID }).id)"
            if isCommand {
                #expect(try await box.run(["lookalikes", "--json"]).objects.contains { "\($0["id"] ?? "")" == id })
                let result = try await box.run(["lookalikes", "one", id, "--by", "tek"])
                #expect(result.status == 0, "\(result.errors)")
            } else {
                try client.post("matches/accept", ["id": id])
            }
            let known = try store.passages.corrections(ofPassage: match.exit.clientID)
            corrections.append(
                "\(known.map { "\($0.kind) \($0.reason) \($0.actor) \($0.newPlate?.canonical.prefix(7) ?? "-")" })")
        }
        #expect(corrections[0] == corrections[1] && corrections[0].contains("tek"))
    }

    @Test func `two vehicles stay two`() async throws {
        let match = try pair("BA 1 PA 4000", "8A 1 PA 4000", minutesAgo: 0)
        try store.matches.savePossible([match], at: noon)
        let id = "\(try #require(try store.matches.possible().first).id)"
        #expect(try await box.run(["lookalikes", "two", id, "--by", "tek"]).status == 0)
        #expect(try await box.run(["lookalikes"]).output.contains("No plates that look alike"))
        try store.matches.savePossible([match], at: noon)
        #expect(try store.matches.possible().isEmpty)
    }
}
