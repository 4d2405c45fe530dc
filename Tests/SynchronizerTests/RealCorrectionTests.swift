import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("A correction that was long under way", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct RealCorrectionTests {
    @Test func `yields to what the warden found later, and the post shows that`() throws {
        let park = try RealPark()
        let a = try Post("a", park)
        let passage = try a.record("BA 1 PA 1234", minute: 0)
        try a.run()
        func correct(_ plate: String) throws {
            _ = try a.store.passages.correct(
                clientID: passage.clientID, to: Plate(canonical: plate), reason: "misread", by: "Ram", at: a.clock.now)
        }
        func shown() throws -> String? {
            try a.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact
        }
        // The post corrects it while it has no link; the warden does so later, and otherwise.
        try correct("BA 1 PA 1111")
        a.clock.advance(.minutes(5))
        _ = try park.query(
            """
            insert into user_profiles (id, full_name, role)
                select (checkpost.insert_user('office@bnp.local', 'password-office', null, null, null)).id, 'Gita', 'warden';
            select set_config('request.jwt.claims', json_build_object('sub', id)::text, true) from user_profiles where role = 'warden';
            select checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', '\(passage.clientID)',
                'plate_number', 'BA1PA2222', 'reason', 'the photo', 'changed_at', '\(a.clock.now.iso8601)'))
            """)
        try a.run(seconds: 62)
        #expect(try park.query("select plate_number from vehicle_passages") == ["BA1PA2222"])
        #expect(try shown() == "BA1PA2222")
        #expect(try a.store.queue.entries().allSatisfy { $0.status == .synced })
        // What a ranger finds after that counts.
        a.clock.advance(.minutes(5))
        try correct("BA 1 PA 3333")
        try a.run(seconds: 62)
        #expect(
            try park.query("select plate_number from vehicle_passages").map { $0.filter { $0 != " " } } == ["BA1PA3333"]
        )
        #expect(try shown() == "BA1PA3333")
    }
}
