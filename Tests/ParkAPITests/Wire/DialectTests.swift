import Enforcement
import Foundation
import ParkAPI
import Testing

@Suite("How a server speaks", .timeLimit(.minutes(5)))
struct DialectTests {
    private func list<Column: TableColumn>(_ columns: [Column]) -> String {
        RowQuery<Column>().telling(columns).items.map { "\($0)=\($1)" }.joined()
    }

    @Test func `asks the published server for the published columns alone`() {
        let server = ServerDialect.published
        #expect(
            list(server.otherPassages)
                == "select=id,client_id,plate_number,vehicle_type,checkpost_id,recorded_at,source,matched_passage_id,"
                + "server_received_at")
        #expect(list(server.ownPassages) == "select=id,client_id,plate_number,matched_passage_id,recorded_at")
        #expect(
            list(server.wholePassages)
                == "select=id,client_id,plate_number,plate_number_raw,vehicle_type,recorded_at,photo_path")
        #expect(
            list(server.violations)
                == "select=id,entry_passage_id,exit_passage_id,violation_type,plate_number,vehicle_type,entry_time,"
                + "exit_time,calculated_speed_kmh,speed_limit_kmh,distance_km,created_at")
        #expect(
            list(server.outcomes) == "select=violation_id,outcome_type,fine_amount,notes,recorded_by,recorded_at")
        #expect(
            list(server.alerts)
                == "select=entry_passage_id,plate_number,vehicle_type,entry_time,expected_exit_by,resolved,resolved_at,"
                + "created_at")
        #expect(!server.hasNumbers && server.identities == [.clientID])
        for ability in ServerDialect.Ability.allCases { #expect(server.can(ability) == false) }
    }

    @Test func `asks ours for what it was seen to have`() {
        var server = ServerDialect.ours
        #expect(
            list(server.otherPassages)
                == "select=id,client_id,plate_number,vehicle_type,checkpost_id,recorded_at,source,matched_passage_id,"
                + "clock_state,server_seq")
        #expect(
            list(server.ownPassages) == "select=id,client_id,plate_number,matched_passage_id,recorded_at,server_seq")
        #expect(
            list(server.wholePassages)
                == "select=id,client_id,plate_number,plate_number_raw,vehicle_type,recorded_at,photo_path,"
                + "sms_client_id,acted_by,confidence,clock_state")
        #expect(list(server.outcomes).hasSuffix(",recorded_at,acted_by,server_seq"))
        #expect(list(server.violations).hasSuffix(",distance_km,server_seq"))
        #expect(list(server.alerts).hasSuffix(",resolved_at,server_seq"))
        #expect(server.can(.tolerance) == nil && server.can(.changes) == nil)
        server.learn(.tolerance, true)
        server.learn(.changes, true)
        #expect(list(server.violations).hasSuffix(",distance_km,tolerance_kmh,tolerance_percent,server_seq"))
        #expect(list(server.alerts).hasSuffix(",resolved_at,resolved_by,resolved_reason,server_seq"))
        server.learn(.travel, true)
        #expect(list(server.otherPassages).hasSuffix(",matched_passage_id,clock_state,travel,server_seq"))
        #expect(list(server.wholePassages).hasSuffix(",confidence,clock_state,travel"))
        server.learn(.tolerance, false)
        #expect(server.can(.tolerance) == false && server.identities == [.clientID, .smsClientID])
    }

    @Test func `is asked for one row with columns of ours, which a server without them refuses`() {
        #expect(
            ServerDialect.question.items.map { "\($0)=\($1)" } == [
                "select=server_seq,sms_client_id,clock_state", "limit=1",
            ])
        #expect(
            ServerDialect.wholeQuestion.items.map { "\($0)=\($1)" } == [
                "select=server_seq,sms_client_id,clock_state,travel", "limit=1",
            ])
    }

    @Test func `calls each function where this server was seen to have it`() {
        var server = ServerDialect.ours
        #expect(
            server.paths(of: .changePassage) == ("/functions/v1/change-passage", "/rest/v1/rpc/change_passage"))
        #expect(server.paths(of: .passageDays) == ("/rest/v1/rpc/passage_days", nil))
        server.learn(isInDatabase: .changePassage)
        #expect(server.paths(of: .changePassage) == ("/rest/v1/rpc/change_passage", nil))
        // A project may have some as edge functions.
        #expect(server.paths(of: .matchPassage).first == "/functions/v1/match-passage")
        for function in ParkFunction.allCases { server.learn(isInDatabase: function) }
        #expect(server.paths(of: .resolveAlert) == ("/rest/v1/rpc/resolve_alert", nil))
    }

    @Test func `writes questions by the table's own columns`() {
        let query = RowQuery<PassageColumn>().whose(.segment, .equals("s")).whose(.checkpost, .differsFrom("c"))
            .whose(.match, .isNull).whose(.id, .isAmong(["a", "b"])).whose(.serverSequence, .isAbove("7"))
            .whose(.recordedAt, .isAtLeast(Instant(milliseconds: 0))).inOrder(of: [.recordedAt, .id]).skipping(5)
            .limited(to: 2).onConflict([.clientID])
        #expect(query.path == "/rest/v1/vehicle_passages")
        #expect(
            query.items.map { "\($0)=\($1)" } == [
                "segment_id=eq.s", "checkpost_id=neq.c", "matched_passage_id=is.null", "id=in.(a,b)", "server_seq=gt.7",
                "recorded_at=gte.1970-01-01T00:00:00.000Z", "order=recorded_at.asc,id.asc", "offset=5", "limit=2",
                "on_conflict=client_id",
            ])
        #expect(RowQuery<SegmentColumn>().tellingAll().items.first?.1 == "*")
        #expect(RowQuery<ProfileColumn>().whose(.isActive, .isTrue).items.first?.1 == "is.true")
    }
}
