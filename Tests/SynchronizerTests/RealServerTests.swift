import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// These need the server's program beside the tests; the whole package builds it.
@Suite("A post and the real server", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct RealServerTests {
    @Test func `see the same vehicle pass both posts, too fast`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let entry = try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        let exit = try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        try a.run(seconds: 31)
        for (post, own) in [(a, entry), (b, exit)] {
            let violation = try #require(try post.store.violations.list().first?.violation)
            #expect(violation.kind == .speeding)
            #expect(violation.state == .confirmed)
            #expect(violation.calculatedSpeedKmh == 90)
            #expect(violation.entryClientID == entry.clientID)
            #expect(violation.exitClientID == exit.clientID)
            #expect(try post.store.passages.passage(clientID: own.clientID)?.isMatched == true)
        }
        let violation = try #require(try b.store.violations.list().first)
        try b.store.violations.record(
            Outcome(kind: .fined, fineAmount: 500, notes: nil, recordedBy: "Sita", recordedAt: b.clock.now),
            ofViolation: violation.id)
        try b.run(seconds: 31)
        #expect(
            try park.query("select outcome_type, fine_amount, acted_by from violation_outcomes") == [
                "fined|500.00|Sita"
            ])
        #expect(try park.query("select count(*) from sync_runs")[0] != "0")
        #expect(try a.store.alarms.list().map(\.key).filter { $0 == "sync.account" }.isEmpty)
    }

    @Test func `have the office's lists in common`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        _ = try park.query("select checkpost.list_plate('wanted', 'BA 1 CHA 7777', 'Stolen', null)")
        try post.run()
        #expect(try post.store.wantedPlates.list().map(\.plate.canonical) == ["BA 1 CHA 7777"])
        _ = try park.query("select checkpost.end_listing(id) from listed_plates")
        try post.run(seconds: 61)
        #expect(try post.store.wantedPlates.list().isEmpty)
    }

    @Test func `know what the server offers to their post, and that it offers it no more`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        let file = NSTemporaryDirectory() + "checkpost_9.1_amd64.deb"
        defer { for file in [file, file + ".sig"] { unlink(file) } }
        let signature = Data(repeating: 7, count: 64).base64EncodedString()
        try Data("!<arch>\npackage".utf8).write(to: URL(fileURLWithPath: file))
        try Data(signature.utf8).write(to: URL(fileURLWithPath: file + ".sig"))
        for code in ["BNP-A", "BNP-B"] {
            let said = try park.command("update", "offer", file, "--checkpost", code)
            #expect(said.status == 0, "\(said.output)")
        }
        #expect(try park.command("update", "list").output.split(separator: "\n").count == 2)
        try post.run()
        let offer = try #require(try post.store.offeredUpdates.list().first)
        #expect(offer.name.version == "9.1" && offer.bytes == 15 && offer.signature == signature)
        #expect(try park.command("update", "end", "checkpost_9.1_amd64.deb", "--checkpost", "BNP-A").status == 0)
        #expect(try park.command("update", "end", "checkpost_9.1_amd64.deb", "--checkpost", "BNP-A").status == 1)
        try post.restart()
        try post.run()
        #expect(try post.store.offeredUpdates.list().isEmpty)
        #expect(try park.command("update", "list").output.contains("BNP-B"))
    }

    @Test func `tell of evidence that the server refuses, until it takes it`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        _ = try post.store.evidence.lookAfterKey(at: post.clock.now)
        try post.record("BA 1 PA 1234", minute: 0)
        _ = try park.query(
            """
            create function refuse() returns trigger language plpgsql as
                $$ begin raise exception 'this chain is closed' using errcode = 'PT403'; end $$;
            create trigger refuse before insert on evidence_entries for each row execute function refuse()
            """)
        try post.run(seconds: 40)
        let alarm = try #require(try post.store.alarms.list().first { $0.key == "evidence.refused" })
        #expect(alarm.message.contains("this chain is closed"), "\(alarm)")
        #expect(try park.query("select count(*) from vehicle_passages") == ["1"])
        _ = try park.query("drop trigger refuse on evidence_entries")
        try post.restart()
        try post.run(seconds: 40)
        #expect(try park.query("select kind from evidence_entries order by number") == ["began", "passage"])
        #expect(try !post.store.alarms.list().contains { $0.key == "evidence.refused" })
    }

    @Test func `agree on every passage, once and in order, when the server is killed in between`() throws {
        let park = try RealPark(port: try FreePort.next())
        let post = try Post("a", park) { $0.queue.batchSize = 7 }
        var plates: [String] = []
        for round in 0..<3 {
            for number in 0..<20 {
                plates.append(try post.record("BA \(round + 1) PA \(1000 + number)", minute: 0).plate.compact)
            }
            if round == 1 {
                park.stop()
                try post.run(seconds: 90)
                try park.start()
            }
            try post.run(seconds: 60)
        }
        #expect(try park.query("select plate_number from vehicle_passages order by server_seq") == plates)
        #expect(try post.store.queue.counts()[.synced] == 60)
        #expect(try post.store.passages.list(limit: 100).allSatisfy { $0.serverID != nil })
    }

    @Test func `keep a photo under the passage's id`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("deploy/samples/stills/clean_zonal_ba_car.jpg")
        post.surroundings.photo.bytes = try Data(contentsOf: sample)
        var passage = try post.record("BA 1 PA 1", minute: -5)
        passage = Passage(
            clientID: UUID(), plate: passage.plate, plateRaw: "x", vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: post.clock.now, clockState: .synchronised, origin: .camera,
            photoSHA256: String(repeating: "a", count: 64))
        var commit = FrameCommit(camera: "gate", at: post.clock.now)
        commit.photos = [
            PhotoRecord(
                sha256: String(repeating: "a", count: 64), path: "photos/a.jpg", bytes: 3, mediaType: "image/jpeg",
                keptAt: post.clock.now)
        ]
        commit.recordings = [.init(passage: passage, sighting: nil)]
        try post.store.frames.commit(commit)
        try post.run(seconds: 5)
        let id = try #require(try post.store.passages.passage(clientID: passage.clientID)?.serverID).uuidString
            .lowercased()
        #expect(
            try park.query("select photo_path from vehicle_passages where id = '\(id)'") == ["passage-photos/\(id).jpg"]
        )
        #expect(try park.query("select name from storage.objects") == ["\(id).jpg"])
    }

    @Test func `learn of each other's corrections, withdrawals and dismissals`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let wrong = try a.record("BA 1 PA 1234", minute: -30)
        let false_ = try a.record("BA 1 PA 5555", minute: -25)
        try a.run()
        for plate in ["BA 1 PA 1234", "BA 1 PA 5555"] { try b.record(plate, minute: 0) }
        try b.run()
        try a.run(seconds: 31)
        #expect(try a.store.violations.list().count == 2)
        try a.store.passages.correct(
            clientID: wrong.clientID, to: Plate(canonical: "BA 1 PA 1284"), reason: "misread", by: "Hari",
            at: a.clock.now)
        try a.store.passages.withdraw(clientID: false_.clientID, reason: "a sign", by: "Hari", at: a.clock.now)
        try a.run(seconds: 31)
        try b.run(seconds: 31)
        #expect(try a.store.queue.entries(status: .failed) == [])
        #expect(try park.query("select count(*) from violations") == ["0"])
        #expect(
            try park.query("select plate_number from vehicle_passages where matched_passage_id is null order by 1") == [
                "BA1PA1234", "BA1PA1284", "BA1PA5555",
            ])
        for post in [a, b] { #expect(try post.store.violations.list().isEmpty) }
        #expect(try b.store.otherPost.passage(clientID: wrong.clientID)?.plate.compact == "BA1PA1284")
        #expect(
            try b.store.matches.unmatched(.remote, from: a.clock.now - .hours(9), to: a.clock.now).map(\.clientID) == [
                wrong.clientID
            ])
        #expect(
            try park.query("select kind, acted_by, reason from passage_changes order by kind") == [
                "corrected|Hari|misread", "withdrawn|Hari|a sign",
            ])
        try checkDismissal(a, park)
    }

    private func checkDismissal(_ a: Post, _ park: RealPark) throws {
        let entry = try a.record("BA 9 PA 9", minute: -600)
        _ = try a.store.alerts.raise(
            [
                OverstayAlert(
                    entryClientID: entry.clientID, plate: entry.plate, vehicleType: .car, entryTime: entry.recordedAt,
                    expectedExitBy: entry.recordedAt + .minutes(270), isDoubtful: false)
            ], at: a.clock.now)
        let alert = try #require(try a.store.alerts.list().first { $0.alert.entryClientID == entry.clientID })
        try a.store.alerts.dismiss(id: alert.id, reason: "left by the same post", by: "Hari", at: a.clock.now)
        try a.run(seconds: 31)
        #expect(
            try park.query("select resolved, resolved_by, resolved_reason from proactive_overstay_alerts") == [
                "t|Hari|left by the same post"
            ])
    }
}

/// Two posts tell each other through the real server what waits for review.
@Suite(
    "What waits for review, through the real server", .enabled(if: RealPark.isPossible), .serialized,
    .timeLimit(.minutes(10)))
struct ReviewsThroughServerTests {
    @Test func `is known at the other post, until a ranger has decided it`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let seenAt = b.clock.now - .minutes(5)
        let frame = FrameReference(
            sha256: String(repeating: "c", count: 64), camera: "gate", recordedAt: seenAt, clockState: .synchronised)
        let reading = PlateReading(
            plate: Plate(canonical: "BA 1 PA 12?4"), raw: "x", confidence: 0.4,
            box: Box(x: 0, y: 0, width: 1, height: 1), format: "", candidates: [], characters: [])
        var commit = FrameCommit(camera: "gate", at: b.clock.now)
        commit.reviews = [
            Sighting(
                number: 1, camera: "gate", firstSeenAt: seenAt, lastSeenAt: seenAt, frameCount: 1, bestFrame: frame,
                reading: reading)
        ]
        try b.store.frames.commit(commit)
        try b.run()
        try a.run()
        let known = try #require(try a.store.otherPost.known().reviews)
        #expect(known.waiting == [WaitingSighting(seenAt: seenAt, plate: Plate(canonical: "BA 1 PA 12?4"))])
        try b.store.sightings.discardReviewed(sightingID: "gate/1", by: "Sita", at: b.clock.now)
        try b.run(seconds: 31)
        try a.run(seconds: 31)
        let decided = try #require(try a.store.otherPost.known().reviews)
        #expect(decided.waiting.isEmpty && decided.asOf > known.asOf)
        // On a quiet road no passage says how far a post is known: it does so itself.
        #expect(try a.store.otherPost.known().knownUpTo == nil)
        let watched = b.clock.now
        try b.store.frames.commit(FrameCommit(camera: "gate", watch: .init(upTo: watched), at: watched))
        try b.run(seconds: 91)
        try a.run(seconds: 91)
        #expect(try a.store.otherPost.known().knownUpTo == watched)
        #expect(
            try park.query(
                "select count(*) from checkposts c, checkpost.word_of(c.id, now()) w where c.code = 'BNP-B' "
                    + "and w.known = (select complete_up_to from post_reviews r where r.checkpost_id = c.id)")[0] == "1"
        )
        // Nobody speaks for the other post, nor for one of another road.
        #expect(try park.query("select count(*) from post_reviews")[0] == "2")
    }
}
