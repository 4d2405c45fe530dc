import Enforcement
import Foundation
import ParkAPI
import Testing

/// What goes over the wire, to the byte. A server and a box of different ages understand each other as long as these hold.
@Suite("What a box sends", .timeLimit(.minutes(5)))
struct WireTests {
    private static let client = uuid("A0000000-0000-4000-8000-00000000000A")
    private static let other = uuid("B0000000-0000-4000-8000-00000000000B")
    private static let user = uuid("C0000000-0000-4000-8000-00000000000C")
    private static let at = Instant(milliseconds: 1_795_255_530_250)

    private static func uuid(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID() }

    private func sent(_ value: some Encodable) throws -> String {
        String(decoding: try ParkJSON.data(value), as: UTF8.self)
    }

    private static func passage(_ change: (inout Passage) -> Void = { _ in }) -> Passage {
        var passage = Passage(
            clientID: client, plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "बा १/प \"१२३४\"",
            vehicleType: .jeepSUV,
            checkpostCode: "BNP-A", recordedAt: at, clockState: .untrusted, confidence: 0.9, origin: .review,
            photoSHA256: "ab", actedBy: "Sita")
        change(&passage)
        return passage
    }

    private static let published =
        #""checkpost_id":"b0000000-0000-4000-8000-00000000000b","client_id":"a0000000-0000-4000-8000-00000000000a""#

    @Test func `sends a passage with the published columns alone to a server that has no others`() throws {
        let upload = ServerDialect.published.upload(
            Self.passage(), smsClientID: Self.other, checkpost: Self.other, segment: Self.user, ranger: Self.user)
        #expect(
            try sent(upload)
                == #"{\#(Self.published),"plate_number":"BA1PA1234","plate_number_raw":"बा १\/प \"१२३४\"","#
                + #""ranger_id":"c0000000-0000-4000-8000-00000000000c","recorded_at":"2026-11-21T10:05:30.250Z","#
                + #""segment_id":"c0000000-0000-4000-8000-00000000000c","source":"app","vehicle_type":"jeep_suv"}"#)
    }

    @Test func `sends a passage whole to ours`() throws {
        let upload = ServerDialect.ours.upload(
            Self.passage(), smsClientID: Self.other, checkpost: Self.other, segment: Self.user, ranger: Self.user)
        #expect(
            try sent(upload)
                == #"{"acted_by":"Sita",\#(Self.published),"clock_state":"untrusted","confidence":0.9,"#
                + #""photo_sha256":"ab","plate_number":"BA1PA1234","plate_number_raw":"बा १\/प \"१२३४\"","#
                + #""ranger_id":"c0000000-0000-4000-8000-00000000000c","recorded_at":"2026-11-21T10:05:30.250Z","#
                + #""segment_id":"c0000000-0000-4000-8000-00000000000c","#
                + #""sms_client_id":"b0000000-0000-4000-8000-00000000000b","source":"app","vehicle_type":"jeep_suv"}"#)
    }

    @Test func `sends which way a vehicle went to a server that has a place for it`() throws {
        var server = ServerDialect.ours
        server.learn(.travel, true)
        for (travel, written) in [(Travel?.none, "null"), (.entering, "\"entering\""), (.leaving, "\"leaving\"")] {
            let passage = Self.passage { $0.travel = travel }
            func text(_ dialect: ServerDialect) throws -> String {
                try sent(
                    dialect.upload(
                        passage, smsClientID: nil, checkpost: Self.other, segment: Self.user, ranger: Self.user))
            }
            #expect(try text(server).contains(#""source":"app","travel":\#(written),"vehicle_type""#))
            #expect(try !text(.ours).contains("travel") && !text(.published).contains("travel"))
        }
    }

    @Test func `writes null for what is not there, so that the rows of a list are alike`() throws {
        let passage = Self.passage {
            $0.confidence = nil
            $0.actedBy = nil
            $0.photoSHA256 = nil
            $0.plateRaw = String(repeating: "x", count: 201)
        }
        let upload = ServerDialect.ours.upload(
            passage, smsClientID: nil, checkpost: Self.other, segment: Self.user, ranger: Self.user)
        #expect(
            try sent([upload])
                == #"[{"acted_by":null,\#(Self.published),"clock_state":"untrusted","confidence":null,"#
                + #""photo_sha256":null,"plate_number":"BA1PA1234","plate_number_raw":"\#(String(repeating: "x", count: 200))","#
                + #""ranger_id":"c0000000-0000-4000-8000-00000000000c","recorded_at":"2026-11-21T10:05:30.250Z","#
                + #""segment_id":"c0000000-0000-4000-8000-00000000000c","sms_client_id":null,"source":"app","#
                + #""vehicle_type":"jeep_suv"}]"#)
        #expect(try sent(PassagePatch.plate(Plate(canonical: "BA 1 PA 1234"))) == #"{"plate_number":"BA1PA1234"}"#)
        #expect(
            try sent(PassagePatch.photoPath(PhotoPlace(of: Self.client).name))
                == #"{"photo_path":"passage-photos\/a0000000-0000-4000-8000-00000000000a.jpg"}"#)
    }

    @Test func `sends an outcome, and what replaces one`() throws {
        let outcome = Outcome(
            kind: .letGo, fineAmount: 500, notes: "x\ny", recordedBy: "Sita", recordedAt: Self.at)
        let key = OutcomeUpload.Key(violation: Self.client, recordedBy: Self.user)
        #expect(
            try sent(ServerDialect.ours.upload(outcome, key: key))
                == #"{"acted_by":"Sita","fine_amount":500,"notes":"x\ny","outcome_type":"let_go","#
                + #""recorded_at":"2026-11-21T10:05:30.250Z","recorded_by":"c0000000-0000-4000-8000-00000000000c","#
                + #""violation_id":"a0000000-0000-4000-8000-00000000000a"}"#)
        let bare = Outcome(kind: .fined, recordedBy: "Sita", recordedAt: Self.at)
        #expect(
            try sent(ServerDialect.published.upload(bare, key: nil))
                == #"{"fine_amount":null,"notes":null,"outcome_type":"fined"}"#)
    }

    @Test func `sends a correction, a withdrawal and a dismissal`() throws {
        let correction = PassageChange(
            id: Self.user, clientID: Self.client, smsClientID: Self.other, plate: Plate(canonical: "BA 1 PA 1"),
            reason: "1 and not 7", actedBy: "Sita", changedAt: Self.at)
        #expect(
            try sent(correction)
                == #"{"acted_by":"Sita","changed_at":"2026-11-21T10:05:30.250Z","#
                + #""client_id":"a0000000-0000-4000-8000-00000000000a","id":"c0000000-0000-4000-8000-00000000000c","#
                + #""plate_number":"BA1PA1","reason":"1 and not 7","sms_client_id":"b0000000-0000-4000-8000-00000000000b"}"#
        )
        let withdrawal = PassageChange(
            id: Self.user, clientID: Self.client, smsClientID: nil, plate: nil,
            reason: String(repeating: "r", count: 1001), actedBy: "Sita", changedAt: Self.at)
        #expect(
            try sent(withdrawal)
                == #"{"acted_by":"Sita","changed_at":"2026-11-21T10:05:30.250Z","#
                + #""client_id":"a0000000-0000-4000-8000-00000000000a","id":"c0000000-0000-4000-8000-00000000000c","#
                + #""plate_number":null,"reason":"\#(String(repeating: "r", count: 1000))","sms_client_id":null}"#)
        #expect(
            try sent(AlertDismissal(clientID: Self.client, resolvedAt: Self.at, reason: nil, actedBy: nil))
                == #"{"acted_by":null,"client_id":"a0000000-0000-4000-8000-00000000000a","reason":null,"#
                + #""resolved_at":"2026-11-21T10:05:30.250Z"}"#)
        #expect(
            try sent(AlertPatch(resolvedAt: Self.at))
                == #"{"resolved":true,"resolved_at":"2026-11-21T10:05:30.250Z"}"#)
    }

    @Test func `asks of functions`() throws {
        #expect(
            try sent(MatchQuestion(entry: Self.client, exit: Self.other))
                == #"{"entry_passage_id":"a0000000-0000-4000-8000-00000000000a","#
                + #""exit_passage_id":"b0000000-0000-4000-8000-00000000000b"}"#)
        #expect(
            try sent(DaysQuestion(post: Self.other, since: Self.at))
                == #"{"post":"b0000000-0000-4000-8000-00000000000b","since":"2026-11-21"}"#)
        #expect(try sent(AccountsQuestion(names: ["sita@bnp.local"])) == #"{"names":["sita@bnp.local"]}"#)
    }

    @Test func `signs in, with the password readable in this one place`() throws {
        let grant = PasswordGrant(email: "bnp-a@bnp.local", password: "right/\"x")
        #expect(try sent(grant) == #"{"email":"bnp-a@bnp.local","password":"right\/\"x"}"#)
        #expect("\(grant)".contains("right") == false)
        #expect(try sent(RefreshGrant(refreshToken: "r")) == #"{"refresh_token":"r"}"#)
    }

    @Test func `tells of its runs, its state and what waits for review`() throws {
        let run = RunUpload(
            id: Self.client, user: Self.user, device: "box-1", startedAt: Self.at, endedAt: Self.at, pushed: 3,
            pulled: 2, photos: 1, error: nil)
        #expect(
            try sent([run])
                == #"[{"device_id":"box-1","ended_at":"2026-11-21T10:05:30.250Z","error":null,"#
                + #""id":"a0000000-0000-4000-8000-00000000000a","kind":"cycle","photo_count":1,"pulled_count":2,"#
                + #""pushed_count":3,"started_at":"2026-11-21T10:05:30.250Z","#
                + #""user_id":"c0000000-0000-4000-8000-00000000000c"}]"#)
        let device = DeviceUpload(user: Self.user, device: "box-1", at: Self.at, pending: 4, appVersion: "1")
        let now = #""2026-11-21T10:05:30.250Z""#
        #expect(
            try sent(device)
                == #"{"app_version":"1","device_id":"box-1","last_pull_at":\#(now),"last_push_at":\#(now),"#
                + #""pending_count":4,"updated_at":\#(now),"user_id":"c0000000-0000-4000-8000-00000000000c"}"#)
        let reviews = OtherPost.Reviews(
            asOf: Self.at, waiting: [WaitingSighting(seenAt: Self.at, plate: Plate(canonical: "BA 1 PA 12?4"))],
            completeUpTo: Self.at)
        func upload(_ reviews: OtherPost.Reviews, _ tells: Bool) -> ReviewsUpload {
            ReviewsUpload(checkpost: Self.other, reviews: reviews, tellsCompleteness: tells)
        }
        #expect(
            try sent(upload(.init(asOf: Self.at, waiting: [], completeUpTo: Self.at), true))
                == #"{"as_of":\#(now),"checkpost_id":"b0000000-0000-4000-8000-00000000000b","complete_up_to":\#(now),"#
                + #""waiting":[]}"#)
        #expect(try sent(upload(.init(asOf: Self.at, waiting: []), true)).contains(#""complete_up_to":null"#))
        #expect(
            try sent(upload(reviews, false))
                == #"{"as_of":\#(now),"checkpost_id":"b0000000-0000-4000-8000-00000000000b","#
                + #""waiting":[{"at":\#(now),"plate":"BA 1 PA 12?4"}]}"#)
    }

    @Test func `writes a setting as the server has it`() throws {
        let body = #"[{"settings":{"a":0.85,"b":"x/y","c":[1,{"z":null,"y":true}],"d":40}}]"#
        let row = try #require(try ServerAnswer(status: 200, body: Data(body.utf8)).rows(SettingsRow.self).first)
        let texts = try row.settings.mapValues { try $0.text() }
        #expect(texts == ["a": "0.85", "b": #""x\/y""#, "c": #"[1,{"y":true,"z":null}]"#, "d": "40"])
        let none = try ServerAnswer(status: 200, body: Data(#"[{"settings":[]},{"settings":null}]"#.utf8))
            .rows(SettingsRow.self)
        #expect(none.allSatisfy(\.settings.isEmpty) && none.count == 2)
    }
}
