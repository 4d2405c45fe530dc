import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What the other post says itself, beside the server's word", .timeLimit(.minutes(10)))
struct PostWordTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func say(_ passage: MatchablePassage, withdrawn: Bool = false, text: UUID? = nil, live: Bool = true) throws
    {
        _ = try test.store.otherPost.takeIn(
            [PostWord(passage, isWithdrawn: withdrawn, text: text, isLive: live)], at: minute(50))
    }

    private var candidates: [MatchablePassage] {
        get throws { try test.store.matches.unmatched(.remote, from: minute(-100), to: minute(100)) }
    }

    /// A text, what the post says, and the upload.
    private struct Ways {
        let text: MatchablePassage
        let own: MatchablePassage
        let upload: MatchablePassage
        let textID: UUID
    }

    private func ways() -> Ways {
        let (textID, clientID, serverID) = (UUID(), UUID(), UUID())
        var text = sampleRemote(at: 30, clientID: textID, serverID: serverID, sequence: 7)
        text.isOfText = true
        return Ways(
            text: text, own: sampleRemote(at: 30.001, clientID: clientID),
            upload: sampleRemote(at: 30.001, clientID: clientID, serverID: serverID, sequence: 9), textID: textID)
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `makes one of a text, its upload and the post's own word, in any order`(_ order: [Int]) throws {
        let ways = ways()
        for step in order + order {
            switch step {
            case 0: try test.store.otherPost.upsert([ways.text], at: minute(40))
            case 1: try say(ways.own, text: ways.textID)
            default: try test.store.otherPost.upsert([ways.upload], at: minute(41))
            }
        }
        let known = try #require(try test.store.otherPost.passage(clientID: ways.own.clientID))
        #expect(known.serverID == ways.upload.serverID && known.plate == ways.own.plate)
        #expect(try candidates.map(\.clientID) == [ways.own.clientID])
        #expect(try test.store.figures.now().remotePassages == 1)
    }

    @Test func `takes the text for the passage that the post told before it was sent`() throws {
        let ways = ways()
        try say(ways.own)
        try test.store.otherPost.upsert([ways.text], at: minute(40))
        #expect(try candidates.count == 2)
        // The post tells that it was sent.
        try say(ways.own, text: ways.textID)
        #expect(try candidates.map(\.clientID) == [ways.own.clientID])
        #expect(try candidates.first?.recordedAt == ways.own.recordedAt)
    }

    @Test func `leaves matched what the server has matched`() throws {
        let ways = ways()
        try test.store.otherPost.upsert([ways.upload], matched: [ways.upload.clientID], at: minute(40))
        try say(ways.own)
        #expect(try candidates.isEmpty)
    }

    @Test func `takes a passage back, which no word of the server undoes, and only its own word does`() throws {
        let ways = ways()
        try test.store.otherPost.upsert([ways.upload], at: minute(40))
        try say(ways.own, withdrawn: true)
        #expect(try candidates.isEmpty)
        var later = ways.upload
        later.serverSequence = 900
        try test.store.otherPost.upsert([later], at: minute(51))
        #expect(try candidates.isEmpty)
        try say(ways.own)
        #expect(try candidates.map(\.clientID) == [ways.own.clientID])
    }

    @Test func `does not undo what the server took back`() throws {
        let ways = ways()
        try test.store.otherPost.upsert([ways.upload], at: minute(40))
        #expect(try test.store.otherPost.withdraw([ways.upload.clientID], at: minute(41)) == 1)
        try say(ways.own)
        #expect(try candidates.isEmpty)
    }

    @Test func `in a file brings nothing back that was taken back`() throws {
        let ways = ways()
        try say(ways.own, withdrawn: true)
        try say(ways.own, live: false)
        #expect(try candidates.isEmpty)
    }

    @Test func `is one vehicle when a box lost its records and read its pictures once more`() throws {
        let first = sampleRemote(at: 30)
        try say(first)
        let again = sampleRemote(at: 30)
        try say(again)
        #expect(try candidates.map(\.clientID) == [again.clientID])
        // Another vehicle, and the same one later, stay apart.
        try say(sampleRemote("BA 1 PA 9999", at: 30))
        try say(sampleRemote(at: 30.01))
        #expect(try candidates.count == 3)
    }

    @Test func `corrects a plate, and what followed from the old one is taken back`() throws {
        let own = samplePassage()
        var remote = sampleRemote(at: 30)
        try test.store.passages.record(own, at: minute(0))
        try say(remote)
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        #expect(try test.store.matches.save(match, violation: Violation(match, on: banke, id: UUID()), at: minute(32)))
        remote.plate = Plate(canonical: "BA 1 PA 9999")
        try say(remote)
        #expect(try test.store.violations.list().isEmpty)
    }
}

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
        try test.store.peers.keep(mark: 7, of: peer("a").publicKey)
        try test.store.peers.pair(peer("b"), at: minute(1))
        #expect(try test.store.peers.active()?.publicKey == peer("b").publicKey)
        #expect(try test.store.peers.list().map(\.status) == [.active, .revoked])
        // The same box once more: what it told is here.
        try test.store.peers.pair(peer("a"), at: minute(2))
        #expect(try test.store.peers.active()?.mark == 7)
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
