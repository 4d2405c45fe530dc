import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("An outcome that others recorded", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct RealOutcomeTests {
    private func outcome(_ kind: Outcome.Kind, _ name: String, _ post: Post, fine: Double? = nil) -> Outcome {
        Outcome(kind: kind, fineAmount: fine, notes: nil, recordedBy: name, recordedAt: post.clock.now)
    }

    @Test func `an outcome of the other post and of the warden shows here`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        let atB = try #require(try b.store.violations.list().first)
        try b.store.violations.record(outcome(.fined, "Sita", b, fine: 500), ofViolation: atB.id)
        try b.run(seconds: 31)
        try a.run(seconds: 31)
        let atA = try #require(try a.store.violations.list().first)
        #expect(atA.outcome?.kind == .fined)
        #expect(atA.outcome?.fineAmount == 500)
        #expect(atA.outcome?.recordedBy == "Sita")
        // The warden changes it; both posts learn, once.
        _ = try park.query(
            """
            insert into user_profiles (id, full_name, role)
                select (checkpost.insert_user('office@bnp.local', 'password-office', null, null, null)).id, 'Gita', 'warden';
            select set_config('request.jwt.claims', json_build_object('sub', id)::text, true) from user_profiles where role = 'warden';
            select checkpost.put_outcome(jsonb_build_object('violation_id', violation_id, 'outcome_type', 'let_go', 'reason', 'Appeal',
                'was', (select max(id) from outcome_changes), 'acted_by', 'Gita')) from violation_outcomes;
            -- The posts' clocks stand at another day than this machine's.
            update violation_outcomes set recorded_at = recorded_at - interval '300 days'
            """)
        for post in [a, b] { try post.run(seconds: 62) }
        #expect(try a.store.violations.list().first?.outcome?.recordedBy == "Gita")
        #expect(try b.store.violations.outcomes(ofViolation: atB.id).map(\.kind) == [.letGo, .fined])
        // This post may not change another's: what holds at the server shows, and ours is its history.
        try a.store.violations.record(outcome(.warned, "Hari", a), ofViolation: atA.id)
        try a.run(seconds: 62)
        #expect(try a.store.queue.entries(status: .failed).map(\.isRefused) == [true])
        #expect(try a.store.queue.entries(status: .failed).first?.lastError?.contains("Gita") == true)
        #expect(try a.store.queue.entries(status: .failed).first?.lastError?.contains("BNP-B or the warden") == true)
        #expect(try a.store.violations.list().first?.outcome?.kind == .letGo)
        #expect(try a.store.violations.outcomes(ofViolation: atA.id).map(\.kind) == [.letGo, .warned, .letGo, .fined])
        // Nor may the post that recorded the first: it is the warden's now.
        try b.store.violations.record(outcome(.fined, "Sita", b, fine: 700), ofViolation: atB.id)
        try b.run(seconds: 62)
        #expect(try b.store.violations.list().first?.outcome?.kind == .letGo)
        #expect(try park.query("select outcome_type from violation_outcomes") == ["let_go"])
    }

    @Test func `an outcome that came later at the server holds over one that was long under way`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        try a.run(seconds: 31)
        let violation = try #require(try a.store.violations.list().first)
        // A's ranger acts first, without a link.
        try a.store.violations.record(outcome(.warned, "Hari", a), ofViolation: violation.id)
        b.clock.advance(.minutes(30))
        try b.store.violations.record(
            outcome(.fined, "Sita", b), ofViolation: try #require(try b.store.violations.list().first).id)
        try b.run(seconds: 31)
        #expect(try a.store.violations.list().first?.outcome?.kind == .warned)
        try a.run(seconds: 31)
        #expect(try a.store.queue.counts()[.pending] == 0)
        #expect(try a.store.queue.counts()[.failed] == 0)
        #expect(try a.store.violations.list().first?.outcome?.kind == .fined)
        #expect(try a.store.violations.outcomes(ofViolation: violation.id).map(\.recordedBy) == ["Sita", "Hari"])
    }
}
