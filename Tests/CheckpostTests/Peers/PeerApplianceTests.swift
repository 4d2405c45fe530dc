import Enforcement
import Foundation
import HTTPClient
import Storage
import TestKit
import Testing

@testable import Appliance

/// Two real boxes without a server and without a modem that works: what one knows of the other comes over the link between them.
@Suite("Two posts with a direct link", .serialized, .timeLimit(.minutes(15)))
struct PeerApplianceTests {
    private let a: RunningAppliance
    private let b: RunningAppliance
    private let port: Int

    init() throws {
        let ports = try (FreePort.next(), FreePort.next())
        func box(_ code: String, _ other: String, _ position: Int, _ port: Int) throws -> RunningAppliance {
            var outside = RunningAppliance.Outside()
            outside.post = PostFile.text(of: code, other: other, position: position)
            outside.more = "[peer]\naddress = \"127.0.0.1\"\nport = \(port)\nsilent_after_minutes = 1"
            return try RunningAppliance(outside: outside)
        }
        a = try box("BNP-A", "BNP-B", 0, ports.0)
        b = try box("BNP-B", "BNP-A", 1, ports.1)
        port = ports.0
    }

    private func peer(_ box: RunningAppliance, _ words: String...) async throws -> Program.Result {
        try await Program.run(["peer"] + words + ["--config", box.configuration.path])
    }

    private func report(_ box: RunningAppliance) -> PeerReport? {
        PartNews.read(of: .peer, in: RunFolder(dataFolder: box.folder["data"].path))?.peer
    }

    private func start() async throws {
        for box in [a, b] { try box.start() }
        for box in [a, b] { #expect(try await box.isRecording(), "\(box.log)") }
        for box in [a, b] {
            #expect(try await box.eventually { box.part("peer")?.state == "up" && report(box)?.state == .unpaired })
        }
    }

    private func pair() async throws {
        let shown = try await peer(a, "pair")
        let code = shown.output.trimmingCharacters(in: .whitespacesAndNewlines)
        // The whole line to type at the other post, with an address of this box where it has one.
        let line = try Regex("sudo checkpost peer join \\S+ \(code)")
        #expect(shown.status == 0 && shown.errors.contains(line), "\(shown.errors)")
        let joined = try await peer(b, "join", "127.0.0.1:\(port)", code)
        #expect(joined.status == 0 && joined.output.contains("Paired with BNP-A"), "\(joined.errors)")
        for box in [a, b] {
            #expect(try await box.eventually { report(box)?.state == .connected }, "\(box.log)")
        }
    }

    private func stop() async throws {
        for box in [a, b] {
            let stopped = try await box.stop()
            #expect(stopped.left == [] && stopped.seconds < 10, "\(stopped)")
        }
    }

    @discardableResult
    private func record(_ box: RunningAppliance, _ plate: String, _ code: String, at time: Instant) throws -> UUID {
        let plate = Plate(canonical: plate)
        let passage = Passage(
            clientID: UUID(), plate: plate, plateRaw: plate.canonical, vehicleType: .car, checkpostCode: code,
            recordedAt: time, clockState: .synchronised, confidence: 0.9, origin: .camera)
        try box.opened().passages.record(passage, at: time)
        return passage.clientID
    }

    private func speeding(_ box: RunningAppliance, _ plate: String) throws -> Bool {
        try box.opened().violations.list().contains { $0.violation.plate.canonical == plate }
    }

    @Test func `find violations at once, and a correction and a withdrawal take them back at both`() async throws {
        try await start()
        try await pair()
        let now = BoxClock.now
        let first = try record(a, "BA 1 PA 1111", "BNP-A", at: now - .minutes(30))
        let second = try record(a, "BA 2 PA 2222", "BNP-A", at: now - .minutes(30))
        for plate in ["BA 1 PA 1111", "BA 2 PA 2222"] { try record(b, plate, "BNP-B", at: now - .minutes(1)) }
        for box in [a, b] {
            for plate in ["BA 1 PA 1111", "BA 2 PA 2222"] {
                #expect(try await box.eventually(30) { try speeding(box, plate) }, "\(plate): \(box.log)")
            }
        }
        // What a ranger does about it at one post is known at the other.
        let third = "BA 3 PA 3333"
        try record(a, third, "BNP-A", at: now - .minutes(29))
        try record(b, third, "BNP-B", at: now - .minutes(1))
        func violation(_ box: RunningAppliance) throws -> StoredViolation? {
            try box.opened().violations.list().first { $0.violation.plate.canonical == third }
        }
        #expect(try await a.eventually(30) { try violation(a) != nil && violation(b) != nil })
        let fined = Outcome(kind: .fined, fineAmount: 500, notes: "paid", recordedBy: "sita", recordedAt: BoxClock.now)
        try b.opened().violations.record(fined, ofViolation: try #require(try violation(b)).id)
        #expect(try await a.eventually(10) { try violation(a)?.outcome == fined }, "\(a.log)")
        let corrected = try await Program.run(
            [
                "passages", "correct", first.uuidString, "BA 9 PA 9999", "--reason", "misread", "--by", "ram",
                "--config",
                a.configuration.path,
            ])
        #expect(corrected.status == 0, "\(corrected.errors)")
        try a.opened().passages.withdraw(clientID: second, reason: "a sign", by: "ram", at: now)
        for box in [a, b] {
            for plate in ["BA 1 PA 1111", "BA 2 PA 2222"] {
                #expect(try await box.eventually(30) { try !speeding(box, plate) }, "\(plate): \(box.log)")
            }
        }
        let status = try await Program.run(["status", "--json", "--config", b.configuration.path])
        try SchemaTests.hold(status.output, to: "status", errors: status.errors)
        let told = status.objects.first?["peer"] as? [String: Any]
        #expect(told?["state"] as? String == "connected" && told?["post"] as? String == "BNP-A")
        let text = try await Program.run(["status", "--config", b.configuration.path]).output
        #expect(text.contains("direct link: connected, BNP-A at 127.0.0.1:\(port)"), "\(text)")
        let list = try await peer(b, "list", "--json")
        try SchemaTests.hold(list.output, to: "peer list", errors: list.errors)
        try await stop()
    }

    @Test func `tell what was recorded while the other was off, and what waits for review`() async throws {
        try await start()
        try await pair()
        _ = try await b.stop()
        let now = BoxClock.now
        let ids = try (0..<60).map {
            try record(a, "BA 3 PA \(1000 + $0)", "BNP-A", at: now - .minutes(20) + .seconds(Double($0)))
        }
        try b.start()
        #expect(
            try await b.eventually(60) {
                try ids.allSatisfy { try b.opened().otherPost.passage(clientID: $0) != nil }
            }, "\(b.log)")
        #expect(try b.opened().otherPost.known().reviews != nil)
        try await stop()
    }

    @Test func `end at one post's word: nothing is told any more, and it is said at the other`() async throws {
        try await start()
        #expect(try await peer(a, "revoke").errors.contains("This post is paired with no other one"))
        #expect(try await peer(a, "address", "10.0.0.2/x").errors.contains("is no address"))
        try await pair()
        let revoked = try await peer(a, "revoke")
        #expect(revoked.status == 0, "\(revoked.errors)")
        let late = try record(a, "BA 4 PA 4444", "BNP-A", at: BoxClock.now)
        func alarm() throws -> Alarm? { try b.opened().alarms.list().first { $0.key == "peer.refused" } }
        #expect(try await b.eventually(90) { try alarm() != nil }, "\(b.log)")
        #expect(try alarm()?.message.contains("isn't paired with this one") == true)
        #expect(report(b)?.state == .refused)
        #expect(try b.opened().otherPost.passage(clientID: late) == nil)
        #expect(try await peer(a, "list").output.contains("BNP-B: revoked"))
        // Paired anew, it is over, and what was recorded meanwhile is told.
        try await pair()
        #expect(try await b.eventually(30) { try b.opened().otherPost.passage(clientID: late) != nil }, "\(b.log)")
        #expect(try await b.eventually(30) { try alarm() == nil })
        try await stop()
    }

    @Test func `show the other's picture of a vehicle that somebody looks at`() async throws {
        try await start()
        try await pair()
        let frame = try Data(contentsOf: #require(try RunningAppliance.frames().first))
        let kept = try PhotoStore(folder: a.folder["data"]).keep(frame, recordedAt: BoxClock.now, at: BoxClock.now)
        let plate = Plate(canonical: "BA 5 PA 5555")
        let passage = Passage(
            clientID: UUID(), plate: plate, plateRaw: plate.canonical, vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: BoxClock.now, clockState: .synchronised, confidence: 0.9, origin: .camera,
            photoSHA256: kept.sha256)
        var commit = FrameCommit(
            camera: "gate", recordings: [.init(passage: passage, sighting: nil)], at: BoxClock.now)
        commit.photos = [kept]
        try a.opened().frames.commit(commit)
        let blind = try record(a, "BA 6 PA 6666", "BNP-A", at: BoxClock.now)
        let store = try b.opened()
        func pictures(_ bytes: Int) -> PeerPictures {
            var settings = Configuration.PeerSettings()
            settings.photoBytes = bytes
            return PeerPictures(settings: settings, otherPost: "BNP-A", store: store)
        }
        // In several parts, and as the camera gave it where that is small enough.
        #expect(frame.count > 2 * PeerPhotoShelf.partBytes)
        let whole = pictures(100 << 10).picture(of: passage.clientID, cancellation: HTTPCancellation())
        #expect(whole == .picture(frame), "\(a.log)")
        if case .picture(let small) = pictures(25 << 10).picture(of: passage.clientID, cancellation: HTTPCancellation())
        {
            #expect(small.count <= 25 << 10 && small.starts(with: [0xFF, 0xD8]))
        } else {
            Issue.record("no small picture came: \(a.log)")
        }
        let pictures = pictures(100 << 10)
        #expect(pictures.picture(of: blind, cancellation: HTTPCancellation()) == .notYet)
        #expect(pictures.picture(of: UUID(), cancellation: HTTPCancellation()) == .notYet)
        // The news go on beside it.
        let later = try record(a, "BA 7 PA 7777", "BNP-A", at: BoxClock.now)
        #expect(try await b.eventually(30) { try b.opened().otherPost.passage(clientID: later) != nil }, "\(b.log)")
        _ = try await a.stop()
        #expect(pictures.picture(of: passage.clientID, cancellation: HTTPCancellation()) == .silent)
        _ = try await b.stop()
    }

    @Test func `refuse a code that was used, one that nobody showed, and a post that isn't at the other end`()
        async throws
    {
        try await start()
        let shown = try await peer(a, "pair")
        let code = shown.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let wrong = try await peer(b, "join", "127.0.0.1:\(port)", "7K2M-9QXR-0ABC-DE45")
        #expect(wrong.status == 1 && wrong.errors.contains("has no such code"), "\(wrong.errors)")
        #expect(try await peer(b, "join", "127.0.0.1:\(port)", "7K2M").errors.contains("This is no code"))
        #expect(try await peer(b, "join", "http://127.0.0.1", code).errors.contains("is no address"))
        let own = try await peer(a, "join", "127.0.0.1:\(port)", code)
        #expect(own.status == 1 && own.errors.contains("isn't the post") || own.errors.contains("is not the post"))
        #expect(try await peer(b, "join", "127.0.0.1:\(port)", code).status == 0)
        // Its answer may have been lost: the same box may ask again, and nobody else.
        #expect(try await peer(b, "join", "127.0.0.1:\(port)", code).status == 0)
        // The box makes another one within seconds: then this is another box, and the code is used.
        try FileManager.default.removeItem(at: b.folder["data/peer.key"])
        let noKey = try await peer(b, "join", "127.0.0.1:\(port)", code)
        #expect(
            noKey.status == 1 && (noKey.errors.contains("has no key") || noKey.errors.contains("has no such code")),
            "\(noKey.errors)")
        #expect(try await b.eventually { FileManager.default.fileExists(atPath: b.folder["data/peer.key"].path) })
        let stranger = try await peer(b, "join", "127.0.0.1:\(port)", code)
        #expect(stranger.status == 1 && stranger.errors.contains("has no such code"), "\(stranger.errors)")
        try await stop()
    }

    @Test(arguments: ["trap", "hang"])
    func `record all the same when the link's part fails for ever`(_ kind: String) async throws {
        try a.start(fault: "peer=\(kind)@work;patience=3")
        #expect(try await a.isRecording(), "\(a.log)")
        let camera = a.part("camera.gate")?.pid
        for (index, frame) in try RunningAppliance.frames().prefix(3).enumerated() {
            try a.arrive(frame)
            #expect(try await a.eventually(30) { a.takenCount() > index }, "\(a.log)")
        }
        #expect(try await a.eventually { a.part("peer")?.alarm != nil })
        #expect(a.part("camera.gate")?.pid == camera && a.part("camera.gate")?.ends == 0)
        #expect(try await a.stop().left == [])
    }
}
