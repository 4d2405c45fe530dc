import Enforcement
import Foundation
import Modem
import ParkAPI
import PeerLink
import Storage
import Synchronization
import TestKit
import Testing

@testable import Appliance

@Suite("Giving texts to a paired box", .timeLimit(.minutes(5)))
struct PairedBoxTextsTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let texts: PairedBoxTexts

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
        try PeerKeeper(store).prepare()
        try store.textKey.keep(
            TextKey(number: 1, secret: Secret(String(repeating: "5a", count: 32)), lastTextNumber: 0))
        texts = PairedBoxTexts(otherPost: "BNP-B", store: store)
    }

    /// A hub that says yes to whoever asks whether it keeps texts, and to a text what it is told to.
    private final class Hub: Sendable {
        private final class Given: Sendable {
            let texts = Mutex<[String]>([])
        }

        private let kept: Given
        var given: [String] { kept.texts.withLock { $0 } }
        let post: StandInPost

        init(_ answer: @escaping @Sendable () throws -> Data) {
            let kept = Given()
            self.kept = kept
            post = StandInPost(reply: { question in
                guard let text = try JSONDecoder().decode(PeerAsk.self, from: question).text?.text else {
                    return try JSONEncoder().encode(TextReply(isKept: false))
                }
                kept.texts.withLock { $0.append(text) }
                return try answer()
            })
        }

        static var willing: Hub { Hub { try JSONEncoder().encode(TextReply(isKept: true)) } }
    }

    private struct Unwell: Error {}

    /// Pairs with both, the first one first, and gives each of the texts.
    private func give(_ words: [String], _ first: Hub, _ second: Hub) async throws -> [SendResult] {
        let own = try PeerKeeper(store).identity().publicKey
        var results: [SendResult] = []
        try await first.post.listening { one in
            try await second.post.listening { two in
                for (number, (hub, address)) in [(first, one), (second, two)].enumerated() {
                    _ = hub.post.paired.withLock { $0.insert(own) }
                    let peer = Peer(
                        publicKey: hub.post.own.publicKey.description, code: "HQ-\(number + 1)", kind: .hub,
                        address: address, pairedAt: Instant(milliseconds: Int64(number + 1)))
                    try store.peers.pair(peer, at: peer.pairedAt)
                }
                for word in words { results.append(await texts.send(to: .pairedBox, text: word).result) }
            }
        }
        return results
    }

    @Test func `says what is missing`() throws {
        #expect(texts.obstacle?.contains("paired with none") == true && texts.health.stage == .closed)
        try store.textKey.keep(nil)
        #expect(texts.obstacle?.contains("no key for signed texts") == true)
    }

    @Test func `asks the next one where a box says that it has kept nothing`() async throws {
        let (unwell, other) = (Hub { throw Unwell() }, Hub.willing)
        let full = Hub { try JSONEncoder().encode(TextReply.none("it keeps as many texts as it does")) }
        #expect(try await give(["a"], unwell, other) == [.accepted(references: [])])
        #expect(other.given == ["a"] && texts.trouble == nil)
        try store.peers.revoke(key: unwell.post.own.publicKey.description, at: BoxClock.now)
        try store.peers.revoke(key: other.post.own.publicKey.description, at: BoxClock.now)
        #expect(try await give(["b"], full, Hub { throw Unwell() }) == [.refused(.notReady)])
        #expect(full.given == ["b"] && texts.trouble?.hasPrefix("HQ-2: ") == true, "\(texts.trouble ?? "")")
    }

    @Test func `knows nothing of a text to which no sense was answered, and asks another one first the next time`()
        async throws
    {
        let (silent, other) = (Hub { Data("nonsense".utf8) }, Hub.willing)
        #expect(
            try await give(["a", "a", "b"], silent, other) == [.ambiguous]
                + Array(repeating: .accepted(references: []), count: 2))
        #expect(silent.given == ["a"] && other.given == ["a", "b"])
    }

    @Test func `is done where the configuration lends and borrows, and there is a server and no modem`() {
        var configuration = Configuration()
        configuration.peer = Configuration.PeerSettings()
        #expect(!configuration.textsGoToPairedBox)
        configuration.server = Configuration.Server(url: "https://park.example", email: "", passwordFile: "")
        #expect(configuration.textsGoToPairedBox && configuration.alarmScope.hasTexts)
        #expect(!configuration.alarmScope.isOver("sms.refused", raisedAt: BoxClock.now, at: BoxClock.now))
        configuration.peer?.relays = false
        #expect(!configuration.textsGoToPairedBox && !configuration.alarmScope.hasTexts)
    }
}
