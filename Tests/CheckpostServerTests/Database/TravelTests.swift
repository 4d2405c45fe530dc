import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

/// What the cases of `Tests/Contract` don't say: corrections, texts, lists.
@Suite("Which way a vehicle went, at the server", .timeLimit(.minutes(10)))
struct TravelTests: WardensDesk {
    let database: TestDatabase
    let hari: String
    let warden: String

    @Test func `is judged anew when it is taken back, or was wrong`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? ""
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z") ?? ""
        try patch("travel = 'leaving'", entry)
        #expect(try count("violations") == "0")
        #expect(try count("vehicle_passages", "matched_passage_id is not null") == "0")
        #expect(try count("passage_changes", "new_passage ->> 'travel' = 'leaving'") == "1")
        try patch("travel = 'entering'", entry)
        #expect(try count("violations") == "1")
        try patch("travel = 'entering'", exit)
        #expect(try count("violations") == "0")
        try patch("travel = null", exit)
        #expect(try count("violations") == "1")
        #expect(try count("passage_changes") == "4")
        // Whoever recorded it changes nothing about it either.
        try patch("ranger_id = '\(hari)'", exit)
        #expect(state { try patch("travel = 'leaving'", exit, as: hari) } == "42501")
        #expect(state { try patch("travel = 'south'", exit) } == "23514")
    }

    @Test func `is refused to a device that proposes a pair across it`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? ""
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z") ?? ""
        try patch("travel = 'leaving'", entry)
        #expect(
            state {
                _ = try database.asUser(hari) {
                    try $0.value("select checkpost.match_passage($1::uuid, $2::uuid)", [exit, entry])
                }
            } == "PT422")
    }

    @Test func `comes with the upload behind a text: what had left is the beginning of no pair and of no overstay`()
        throws
    {
        let text = "V1|BNP-A|BA1PA1234|JEP|1795255200|4567"
        let identity = SMSEncoder.clientID(of: text).uuidString.lowercased()
        try database.owner.record("BA1PA1234", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        _ = try database.owner.value("select checkpost.receive_sms($1, '+9779800000000', 'sid')", [text])
        try database.owner.run("update vehicle_passages set clock_state = null where client_id = $1::uuid", [identity])
        #expect(try count("violations") == "1")
        let changes = try count("passage_changes")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, sms_client_id, plate_number, vehicle_type, checkpost_id, recorded_at,
                clock_state, travel)
            values (gen_random_uuid(), $1::uuid, 'BA1PA1234', 'jeep_suv', $2::uuid, '2026-11-21T10:00:00.640Z', 'synchronised',
                'leaving')
            """, [identity, TestDatabase.postA])
        #expect(try count("vehicle_passages") == "2")
        #expect(try count("vehicle_passages", "travel = 'leaving'") == "1")
        #expect(try count("violations") == "0")
        #expect(try count("vehicle_passages", "matched_passage_id is not null") == "0")
        #expect(try count("passage_changes") == changes, "an upload is no correction")
    }

    @Test func `is nobody inside, for the warden's list`() throws {
        let now = Date().ISO8601Format()
        let entry = try database.owner.record("A1", at: TestDatabase.postA, now) ?? ""
        let inside = "select count(*) from checkpost.find_passages('{\"state\": \"inside\", \"limit\": 10}')"
        func list() throws -> String? { try database.asUser(warden) { try $0.value(inside) } }
        #expect(try list() == "1")
        try patch("travel = 'leaving'", entry)
        #expect(try list() == "0")
    }
}
