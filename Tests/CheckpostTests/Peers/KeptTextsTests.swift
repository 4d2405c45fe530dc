import Enforcement
import Foundation
import Logging
import ParkAPI
import PeerLink
import Storage
import TestKit
import Testing

@testable import Appliance

/// Posts without a modem give their texts to a paired box, which hands them to the server.
@Suite("Texts that a paired box keeps", .serialized, .timeLimit(.minutes(15)))
struct KeptTextsTests {
    private static func record(_ box: RunningAppliance, _ plate: String) throws -> UUID {
        let plate = Plate(canonical: plate)
        let passage = Passage(
            clientID: UUID(), plate: plate, plateRaw: plate.canonical, vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: BoxClock.now - .minutes(1), clockState: .synchronised, confidence: 0.9, origin: .camera)
        try box.opened().passages.record(passage, at: passage.recordedAt)
        return passage.clientID
    }

    @Test(.enabled(if: RealPark.isPossible))
    func `tell the park of a vehicle while its own post is gone, and make one row with its record`() async throws {
        let park = try RealPark(port: FreePort.next())
        let post = "(select id from checkposts where code = 'BNP-A')"
        _ = try park.query(
            "select checkpost.put_text_key(jsonb_build_object('checkpost', \(post), 'action', 'make', 'reason', 'r', 'was', '0'))"
        )
        let links = try (LoopbackProxy(to: try park.port), LoopbackProxy(to: try park.port))
        let (a, b) = try await PairedBoxes.paired(
            ("http://127.0.0.1:\(links.0.port)", "http://127.0.0.1:\(links.1.port)")
        ) {
            $0.key = park.key
            $0.password = "right-and-long-enough"
            ($0.modem, $0.sms) = (nil, "after_minutes = 0.05")
        }
        #expect(try await a.eventually(60) { try a.opened().textKey.read() != nil }, "\(a.log)")
        links.0.cut()
        links.1.cut()
        let id = try Self.record(a, "BA 1 PA 1111")
        #expect(try await b.eventually(90) { try b.opened().keptTexts.count() == 1 }, "\(a.log) \(b.log)")
        let there = try await Program.run(["status", "--json", "--config", b.configuration.path])
        try SchemaTests.hold(there.output, to: "status", errors: there.errors)
        #expect(there.objects.first?["peer"].flatMap { ($0 as? [String: Any])?["kept_texts"] as? Int } == 1)
        let here = try await Program.run(["sms", "status", "--config", a.configuration.path])
        #expect(here.status == 0 && here.output.contains("by a paired box"), "\(here.output) \(here.errors)")
        // The box burns, or nearly: what it gave away is on its way all the same.
        let stopped = try await a.stop()
        #expect(stopped.left == [])
        try links.1.restore()
        let rows = "select source || ' ' || plate_number from vehicle_passages"
        #expect(try await b.eventually(60) { try park.query(rows) == ["sms BA1PA1111"] }, "\(b.log)")
        #expect(try await b.eventually { try b.opened().keptTexts.count() == 0 })
        #expect(
            try park.query("select result || ' ' || (sender is null)::text from sms_messages") == ["inserted true"])
        try links.0.restore()
        try a.start()
        let named = "select client_id from vehicle_passages"
        #expect(try await a.eventually(60) { try park.query(named) == [id.uuidString.lowercased()] }, "\(a.log)")
        #expect(try park.query("select count(*) from vehicle_passages") == ["1"])
        try await PairedBoxes.stop(a, b)
    }

    @Test func `are kept by no box that lends nothing, has no room, or is given what is no text of a post`() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder["checkpost.sqlite"].path)
        defer { try? store.close() }
        let key = PeerIdentity().publicKey
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let mailboxes = [true, false].map { PeerMailbox(isOpen: $0, store: store, log: log) }
        func reply(_ text: String?, isOpen: Bool = true) throws -> TextReply {
            try mailboxes[isOpen ? 0 : 1].reply(to: TextQuestion(text: text), of: key, at: BoxClock.now)
        }
        #expect(try reply(nil) == TextReply(isKept: false))
        #expect(try reply(nil, isOpen: false).trouble?.contains("peer.relay") == true)
        let signer = try #require(
            TextKey(number: 1, secret: Secret(String(repeating: "5a", count: 32)), lastTextNumber: 0))
        func text(_ number: Int64) throws -> String {
            try SignedSMSEncoder.encode(
                SignedSMS(
                    checkpostCode: "BNP-A", number: number, rangerPhoneSuffix: "0000",
                    entries: [
                        .init(
                            compactPlate: "BA1PA1111", vehicleType: .car,
                            recordedAt: Instant(milliseconds: 1_795_255_200_000), clock: .synchronised)
                    ]), key: signer)
        }
        #expect(try reply(text(1)).isKept)
        #expect(try reply(text(1)).isKept, "an answer that was lost is asked for once more")
        #expect(try store.keptTexts.count() == 1)
        for nonsense in ["", "V1|BNP-A|BA1PA1234|CAR|1795255200|5678", String(repeating: "V2.", count: 90_000)] {
            #expect(try reply(nonsense).trouble?.hasPrefix("it is no signed text") == true, "\(nonsense.prefix(40))")
        }
        // It was asked five times, and takes as many as a post has vehicles.
        let answers = try (2...1100).map { try reply(text($0)) }
        #expect(answers.prefix { $0.isKept }.count == 998)
        #expect(answers.last == .none("it has taken as many texts of this box as it does in a day"))
    }
}
