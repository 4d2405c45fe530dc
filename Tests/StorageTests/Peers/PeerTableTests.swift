import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("With whom a post is paired", .timeLimit(.minutes(10)))
struct PeerTableTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func peer(_ digit: String, at minutes: Double = 0) -> Peer {
        Peer(
            publicKey: String(repeating: digit, count: 64), code: "BNP-B", address: "10.0.0.2:8460",
            pairedAt: minute(minutes))
    }

    @Test func `is one at a time, and those before are known as taken back`() throws {
        try test.store.peers.pair(peer("a"), at: minute(0))
        try test.store.peers.keep(mark: 7, after: 0, of: peer("a").publicKey)
        try test.store.peers.pair(peer("b"), at: minute(1))
        #expect(try test.store.peers.active()?.publicKey == peer("b").publicKey)
        #expect(try test.store.peers.list().map(\.status) == [.active, .revoked])
        // The same box once more may be one that began anew: it is heard from its first word on.
        try test.store.peers.pair(peer("a"), at: minute(2))
        #expect(try test.store.peers.active()?.mark == 0)
        #expect(try test.store.peers.revoke(at: minute(3)) && test.store.peers.active() == nil)
        #expect(try !test.store.peers.revoke(at: minute(4)))
    }

    @Test func `has one code at a time, which goes when all is taken back`() throws {
        #expect(try test.store.peers.offer() == nil)
        try test.store.peers.offer(PeerOffer(code: "A", until: minute(10)))
        try test.store.peers.offer(PeerOffer(code: "B", until: minute(11)))
        #expect(try test.store.peers.offer() == PeerOffer(code: "B", until: minute(11)))
        try test.store.peers.pair(peer("a"), at: minute(1))
        #expect(try test.store.peers.offer()?.takenBy == peer("a").publicKey)
        try test.store.peers.revoke(at: minute(2))
        #expect(try test.store.peers.offer() == nil)
        // One that is paired already uses it up as well.
        try test.store.peers.offer(PeerOffer(code: "D", until: minute(13)))
        try test.store.peers.useOffer(by: peer("a").publicKey)
        try test.store.peers.useOffer(by: peer("b").publicKey)
        #expect(try test.store.peers.offer()?.takenBy == peer("a").publicKey)
        // A code that one box had is of no use to it once another one is paired.
        try test.store.peers.offer(PeerOffer(code: "C", until: minute(13)))
        try test.store.peers.pair(peer("a"), at: minute(3))
        try test.store.peers.pair(peer("b"), at: minute(4))
        #expect(try test.store.peers.offer() == nil)
    }

    private func peer(_ kind: Peer.Kind, _ number: Int) -> Peer {
        Peer(
            publicKey: String(format: "%064x", number), code: "\(kind.rawValue) \(number)", kind: kind,
            address: "10.0.1.\(number):8460", pairedAt: minute(Double(number)))
    }

    @Test func `are hubs and guests beside the other post, whichever that is`() throws {
        let peers = test.store.peers
        try peers.pair(peer("a"), at: minute(0))
        for number in [3, 1, 2] { try peers.pair(peer(.hub, number), at: minute(1)) }
        try peers.pair(peer(.guest, 4), at: minute(1))
        try peers.pair(peer("b"), at: minute(2))
        #expect(try peers.active()?.publicKey == peer("b").publicKey)
        #expect(try peers.active(.hub).map(\.code) == ["hub 1", "hub 2", "hub 3"])
        // Where the other post spoke from is its place alone, and each is moved by itself.
        try peers.saw(at: "10.0.0.9:1")
        try peers.move(peer(.hub, 1), to: "10.0.0.8:1")
        #expect(try peers.active(.hub).map(\.addresses) == [["10.0.0.8:1"], ["10.0.1.2:8460"], ["10.0.1.3:8460"]])
        #expect(try peers.active(key: peer(.guest, 4).publicKey)?.kind == .guest)
        let second = peer(.hub, 2).publicKey
        try peers.offer(PeerOffer(code: "A", until: minute(60)))
        #expect(try peers.revoke(key: second, at: minute(3)) && !peers.revoke(key: second, at: minute(3)))
        #expect(try peers.offer()?.code == "A", "the code is for somebody else")
        // On a new disk it has another key.
        var again = peer(.hub, 9)
        again.code = "hub 3"
        try peers.pair(again, at: minute(3))
        #expect(try peers.active(.hub).map(\.publicKey) == [peer(.hub, 1), again].map(\.publicKey))
        #expect(try peers.offer()?.takenBy == nil)
        // What it is it stays until that is ended.
        var other = peer(.guest, 4)
        other.kind = .post
        #expect(throws: StoreError.self) { try peers.pair(other, at: minute(3)) }
        #expect(try peers.revoke(at: minute(4)) && peers.active() == nil)
        #expect(try peers.active(.hub).count == 2 && peers.active(.guest).count == 1)
        try test.store.beginAnewFromBackup(at: minute(5))
        #expect(try peers.list().allSatisfy { $0.status == .revoked }, "whoever has a copy is not the box")
    }

    @Test(arguments: [Peer.Kind.hub, .guest])
    func `are no more than a box can have`(_ kind: Peer.Kind) throws {
        for number in 1...kind.most { try test.store.peers.pair(peer(kind, number), at: minute(1)) }
        try test.store.peers.pair(peer(kind, 1), at: minute(2))
        #expect(throws: StoreError.self) { try test.store.peers.pair(peer(kind, kind.most + 1), at: minute(3)) }
        try test.store.peers.revoke(key: peer(kind, 1).publicKey, at: minute(4))
        try test.store.peers.pair(peer(kind, kind.most + 1), at: minute(5))
        #expect(try test.store.peers.active(kind).count == kind.most)
    }

    @Test func `is asked where a person said, and where it spoke from`() throws {
        var other = peer("a")
        other.address = nil
        other.seenAt = "10.0.0.9:8460"
        try test.store.peers.pair(other, at: minute(0))
        #expect(try test.store.peers.active()?.addresses == ["10.0.0.9:8460"])
        try test.store.peers.move(other, to: "10.0.0.2:8460")
        try test.store.peers.saw(at: "10.0.0.7:8460")
        #expect(try test.store.peers.active()?.addresses == ["10.0.0.2:8460", "10.0.0.7:8460"])
        try test.store.peers.saw(at: "10.0.0.2:8460")
        #expect(try test.store.peers.active()?.addresses == ["10.0.0.2:8460"])
    }

    @Test func `is heard once more where it could not be read, and paired anew on another machine`() throws {
        try test.store.peers.pair(peer("a"), at: minute(0))
        try test.store.peers.keep(mark: 7, after: 0, of: peer("a").publicKey)
        try test.store.peers.hearUnreadAgain()
        #expect(try test.store.peers.active()?.mark == 7)
        try test.store.peers.keep(mark: 9, after: 7, unread: 2, of: peer("a").publicKey)
        #expect(try test.store.peers.active()?.unread == 2)
        try test.store.peers.hearUnreadAgain()
        #expect(try test.store.peers.active()?.mark == 0 && test.store.peers.active()?.unread == 0)
        try test.store.passages.record(samplePassage(), at: minute(1))
        try test.store.machine.adopt(MachineIdentity(traits: ["serial:2"]), at: minute(2))
        #expect(try test.store.peers.active() == nil)
        try test.store.passages.record(samplePassage("BA 7 PA 7", at: 1), at: minute(2))
        #expect(try test.store.passages.lastNews() > 1_000_000)
    }

    @Test func `is heard from its first word on where what it told was forgotten, also while an answer was under way`()
        throws
    {
        try test.store.peers.pair(peer("a"), at: minute(0))
        try test.store.peers.keep(mark: 7, after: 0, of: peer("a").publicKey)
        try test.store.fetched.beginAnew([], otherPostToo: false)
        #expect(try test.store.peers.active()?.mark == 7)
        // Behind a number that is no other one's: whatever was asked before counts no more, also behind none.
        var marks: [Int64] = [0, 7]
        for forget in [
            { try test.store.fetched.beginAnew([], otherPostToo: true) }, { try test.store.fetched.done(.passages) },
            { try test.store.fetched.done(.passages) },
        ] {
            try forget()
            for asked in marks { try test.store.peers.keep(mark: 9, after: asked, of: peer("a").publicKey) }
            let mark = try #require(try test.store.peers.active()?.mark)
            #expect(mark < 0 && !marks.contains(mark))
            marks.append(mark)
        }
        // A number that no honest post tells stops nobody.
        try test.store.peers.keep(mark: .min, after: try #require(marks.last), of: peer("a").publicKey)
        try test.store.fetched.beginAnew([], otherPostToo: true)
        #expect(try test.store.peers.active()?.mark == -1)
        try test.store.passages.record(samplePassage(), at: minute(1))
        let all = try test.store.passages.news(
            after: try #require(marks.last), of: "BNP-A", since: minute(-10), limit: 5)
        #expect(all.passages.count == 1 && all.upTo > 0)
    }

    @Test func `keeps its key for its user alone, and says what is wrong with one`() throws {
        let file = test.store.peerKey
        #expect(file.read() == .absent)
        let key = Data((0..<32).map { UInt8($0) })
        try file.keep(key)
        #expect(file.read() == .key(key))
        let mode = try FileManager.default.attributesOfItem(atPath: file.file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data([1, 2, 3]).write(to: file.file)
        #expect(file.read() == .unusable("it is no key"))
    }
}
