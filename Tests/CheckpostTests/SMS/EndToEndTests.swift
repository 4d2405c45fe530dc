import Crypto
import Enforcement
import Foundation
import HTTPClient
import Modem
import ParkAPI
import Storage
import Synchronization
import Synchronizer
import Testing
import TestKit

@testable import Appliance

/// Box, modem, SMS provider and the real server. These need the server's program beside the tests, and PostgreSQL.
@Suite(
    "A post without a data link and the real server", .enabled(if: RealPark.isPossible), .serialized,
    .timeLimit(.minutes(15)))
struct EndToEndTests {
    @Test func `tell three passages by SMS, and all three are there once when the link is back`() async throws {
        let park = try RealPark()
        let proxy = try LoopbackProxy(to: try park.port)
        let rig = try FallbackRig(FallbackRig.accepting)
        let sync = try PostSync(park, proxy, rig.store)
        sync.now = rig.now
        try sync.engine.tick()
        #expect(sync.sight == .online)
        rig.see(sync.sight)

        proxy.cut()
        let passages = try ["BA 1 PA 1", "BA 1 PA 2", "B AC 5763"].map { try rig.record($0) }
        try sync.push(at: rig.now)
        #expect(try await rig.isReady())
        rig.advance(.seconds(299))
        try sync.push(at: rig.now)
        #expect(sync.sight == .offline(since: FallbackRig.start))
        rig.see(sync.sight)
        for _ in 0..<3 { await rig.fallback.turn() }
        #expect(try rig.states().isEmpty)
        rig.advance(.seconds(1))
        #expect(try await rig.eventually { try rig.states() == [.sent, .sent, .sent] })
        #expect(rig.payloads == (try FallbackRig.pdus(of: passages)))

        for passage in passages { #expect(try park.deliver(FallbackRig.text(of: passage)) == 200) }
        #expect(try park.query("select count(*) from vehicle_passages where source = 'sms'") == ["3"])

        try proxy.restore()
        rig.advance(.minutes(2))
        try sync.push(at: rig.now)
        rig.see(sync.sight)
        #expect(sync.sight == .online)
        #expect(try rig.store.queue.counts()[.synced] == 3)
        try park.expectOnce(passages)
        // The provider delivers one of them again: nothing changes.
        #expect(try park.deliver(FallbackRig.text(of: passages[0])) == 200)
        try park.expectOnce(passages)
        try await rig.stop()
        #expect(rig.payloads.count == 3)
    }

    @Test func `tell a passage once more, and no more, when the power goes between the modem's OK and the disk`()
        async throws
    {
        let park = try RealPark()
        let folder = try TemporaryFolder()
        let box = FrozenBox()
        let modem = try ScriptedModem(
            Dialogue(text: FallbackRig.ready + FallbackRig.accepting), onReceive: { box.modemGot($0) })
        defer { modem.stop() }
        let proxy = try LoopbackProxy(to: try park.port)
        proxy.cut()
        let configuration = try folder.write(Self.configuration(park, proxy, modem), to: "checkpost.toml")
        _ = try folder.write("right-and-long-enough\n", to: "server.password")
        try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
        let store = try Store(path: folder["data/checkpost.sqlite"].path)
        let first = try Self.record("BA 1 PA 1", in: store)

        // The box stands still from the moment that the modem has the text; the modem's OK waits in the line.
        box.standsStill = true
        try box.start(configuration)
        #expect(try await eventually { box.hasStopped })
        #expect(try store.messages.message(ofPassage: first.clientID)?.state == .sending)
        #expect(try await eventually { modem.payloads.count == 1 })
        box.kill()
        #expect(modem.payloads.count == 1)
        #expect(try store.messages.message(ofPassage: first.clientID)?.state == .sending)

        box.standsStill = false
        try box.start(configuration)
        #expect(try await eventually { try store.messages.message(ofPassage: first.clientID)?.state == .sent })
        box.kill()
        // However often it starts: a later passage is the next that goes out.
        let second = try Self.record("BA 1 PA 2", in: store)
        try box.start(configuration)
        #expect(try await eventually { try store.messages.message(ofPassage: second.clientID)?.state == .sent })
        // It is written every two seconds.
        #expect(
            try await eventually { StatusBoard.read(folder: folder["data"].path)?.sms?.state == .active })
        let status = try await Program.run(["sms", "status", "--json", "--config", configuration.path])
        #expect(status.objects.first?["state"] as? String == "active", "\(status.output)\(status.errors)")
        #expect(status.objects.first?["today"] as? Int == 3)
        box.kill()
        #expect(modem.payloads == (try FallbackRig.pdus(of: [first, first, second])))

        for passage in [first, first, second] {
            #expect(try park.deliver(FallbackRig.text(of: passage)) == 200)
        }
        try proxy.restore()
        try box.start(configuration)
        #expect(try await eventually { try store.queue.counts()[.synced] == 2 })
        try park.expectOnce([first, second])
        #expect(modem.payloads.count == 3)
        box.kill()
        try store.close()
    }

    @Test func `answer what the office asks by SMS, and bring a text once more that never came`() async throws {
        let park = try RealPark()
        let post = "(select id from checkposts where code = 'BNP-A')"
        _ = try park.query(
            "select checkpost.put_text_key(jsonb_build_object('checkpost', \(post), 'action', 'make', 'reason', 'r', 'was', '0'))"
        )
        let secret = try park.query("update checkpost.text_keys set taken_at = now() returning encode(secret, 'hex')")
        let rig = try FallbackRig(FallbackRig.accepting)
        try rig.store.textKey.keep(TextKey(number: 1, secret: Secret(secret[0]), lastTextNumber: 0))
        rig.loseLink()
        #expect(try await rig.isReady())
        try await rig.tellThree()
        // The second one is lost on its way.
        let sent = try rig.store.messages.list().reversed().map(\.text)
        try #require(sent.count == 3)
        for text in [sent[0], sent[2]] { #expect(try park.deliver(text) == 200) }
        for wish in ["status", "texts"] {
            _ = try park.query("select checkpost.ask_post(jsonb_build_object('checkpost', \(post), 'wish', '\(wish)'))")
            let body = try park.query("select body from checkpost.post_questions order by number desc limit 1")[0]
            await rig.fallback.take(.message(InboundText(sender: nil, text: body)))
        }
        #expect(try await rig.eventually { rig.payloads.count == 6 })
        for text in try rig.store.messages.list().reversed().filter({ $0.question != nil }).map(\.text) {
            #expect(try park.deliver(text) == 200)
        }
        #expect(
            try park.query("select wish from checkpost.post_questions where answered_at is not null order by number")
                == ["status", "texts"])
        #expect(
            try park.query("select plate_number from vehicle_passages order by recorded_at")
                == ["BA1PA1", "BA1PA2", "BA1PA3"])
        #expect(try park.query("select count(*) from checkpost.missing_texts(\(post))") == ["0"])
        try await rig.stop()
    }

    /// A post whose server is behind the proxy, with an outage of three seconds for one of five minutes.
    private static func configuration(_ park: RealPark, _ proxy: LoopbackProxy, _ modem: ScriptedModem) -> String {
        PostFile.text + """
            [server]
            url = "http://127.0.0.1:\(proxy.port)"
            email = "bnp-a@bnp.local"
            password_file = "server.password"
            anon_key = "\(park.key)"
            [sms]
            gateway_number = "\(FallbackRig.gateway)"
            ranger_phone = "+977 9841 234321"
            after_minutes = 0.05
            [modem]
            device = "\(modem.path)"
            """
    }

    private static func record(_ plate: String, in store: Store) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-A",
            recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera)
        try store.passages.record(passage, at: BoxClock.now)
        return passage
    }

}

/// The synchronization of a post, driven by a test.
private final class PostSync {
    private final class Clock: SyncClock {
        let moment = Mutex(FallbackRig.start)
        var now: Instant { moment.withLock { $0 } }
        var uptime: Instant { now }
    }

    private final class Surroundings: SyncSurroundings {
        let cameras: [String] = []
        func passagesArrived(at now: Instant) throws {}
        func photo(_ record: PhotoRecord, maximumBytes: Int) throws -> PreparedPhoto {
            PreparedPhoto(bytes: Data(), mediaType: "image/jpeg")
        }
        func platePlace(of upload: PhotoUpload) -> PlatePlace? { nil }
    }

    private let clock = Clock()
    private let folder: TemporaryFolder
    private let proxy: LoopbackProxy
    let engine: SyncEngine

    init(_ park: RealPark, _ proxy: LoopbackProxy, _ store: Store) throws {
        folder = try TemporaryFolder()
        self.proxy = proxy
        let url = "http://127.0.0.1:\(proxy.port)"
        engine = try SyncEngine(
            store: store, transport: ServerTransport(url: url),
            server: SyncServer(
                url: url, apiKey: park.key, email: "bnp-a@bnp.local", password: { "right-and-long-enough" },
                checkpostCode: "BNP-A", deviceID: "box-a", appVersion: "1"),
            tokens: TokenStore(path: folder["tokens"].path), clock: clock, surroundings: Surroundings())
    }

    var now: Instant {
        get { clock.now }
        set { clock.moment.withLock { $0 = newValue } }
    }

    var sight: LinkSight { engine.link.offlineSince(at: clock.uptime).map { .offline(since: $0) } ?? .online }

    /// Sends what waits, as far as it can.
    func push(at now: Instant) throws {
        self.now = now
        engine.networkChanged()
        engine.requestCycle()
        try engine.tick()
    }
}

extension RealPark {
    var port: UInt16 {
        get throws { try #require(URLComponents(string: url)?.port.flatMap(UInt16.init(exactly:))) }
    }

    /// Gives a text to the server as the SMS provider does, signed by its rules: HMAC-SHA1 over the address and the sorted
    /// fields.
    func deliver(_ text: String) throws -> Int {
        let address = url + "/functions/v1/sms-webhook"
        let fields = ["Body": text, "From": "+9779800000001", "MessageSid": "SM\(UUID().uuidString)"]
        let signed = address + fields.sorted { $0.key < $1.key }.map { $0.key + $0.value }.joined()
        let code = HMAC<Insecure.SHA1>.authenticationCode(
            for: Data(signed.utf8), using: SymmetricKey(data: Data(smsToken.utf8)))
        let plain = CharacterSet.alphanumerics
        let form = fields.map { "\($0.key)=\($0.value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")" }
        let request = HTTPRequest(
            .post, Secret(address),
            headers: [
                "X-Twilio-Signature": Data(code).base64EncodedString(),
                "Content-Type": "application/x-www-form-urlencoded",
            ], body: Data(form.joined(separator: "&").utf8), limits: HTTPLimits(total: .seconds(30)))
        return try HTTPConnection().perform(request).status
    }

    /// Checks that the server has these passages, each once, with SMS and upload in one row.
    func expectOnce(_ passages: [Passage]) throws {
        let rows = try query("select client_id from vehicle_passages order by client_id")
        #expect(rows == passages.map { $0.clientID.uuidString.lowercased() }.sorted())
        let ids = try query("select sms_client_id from vehicle_passages order by sms_client_id")
        let expected = passages.map { SMSEncoder.clientID(of: FallbackRig.text(of: $0)).uuidString.lowercased() }
        #expect(ids == expected.sorted())
    }
}
