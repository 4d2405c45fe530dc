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
        #expect(
            try test.store.otherPost.passage(clientID: ways.own.clientID)?.serverID == ways.text.serverID,
            "what the server tells of its row is about it")
    }

    @Test func `is matched where the server had matched its text`() throws {
        let ways = ways()
        try say(ways.own)
        try test.store.otherPost.upsert([ways.text], matched: [ways.textID], at: minute(40))
        try say(ways.own, text: ways.textID)
        #expect(try candidates.isEmpty)
    }

    @Test func `is one vehicle, also where the server has told the one id while the post told the other`() throws {
        let (before, again, serverID) = (UUID(), UUID(), UUID())
        // The box lost its records and read the picture once more; then its own row came back from the server.
        try say(sampleRemote(at: 30, clientID: again))
        try test.store.otherPost.upsert(
            [sampleRemote(at: 30, clientID: before, serverID: serverID, sequence: 7)], at: minute(41))
        #expect(try candidates.count == 2)
        for _ in 0..<2 { try say(sampleRemote(at: 30, clientID: before)) }
        #expect(try candidates.map(\.clientID) == [before])
        #expect(try test.store.otherPost.passage(clientID: before)?.serverID == serverID)
        // A word of then that comes late changes nothing, and another plate at the same moment is another vehicle.
        try say(sampleRemote(at: 30, clientID: again), live: false)
        try say(sampleRemote(at: 30, clientID: again))
        #expect(try candidates.map(\.clientID) == [before])
        try say(sampleRemote("BA 2 PA 2", at: 30))
        #expect(try candidates.count == 2)
    }

    @Test func `stays when the post takes back the picture that it had read once more`() throws {
        let (before, again) = (UUID(), UUID())
        try test.store.otherPost.upsert(
            [sampleRemote(at: 30, clientID: before, serverID: UUID(), sequence: 7)], at: minute(41))
        try say(sampleRemote(at: 30, clientID: again), withdrawn: true)
        #expect(try candidates.map(\.clientID) == [before])
        let (live, taken) = (UUID(), UUID())
        for id in [live, taken] { try say(sampleRemote("BA 2 PA 2", at: 31, clientID: id)) }
        try say(sampleRemote("BA 2 PA 2", at: 31, clientID: live))
        try say(sampleRemote("BA 2 PA 2", at: 31, clientID: taken), withdrawn: true)
        #expect(try candidates.map(\.clientID).contains(live))
    }

    @Test func `is one vehicle where only its text is left of it at the post`() throws {
        let (before, text) = (UUID(), UUID())
        try say(sampleRemote(at: 30.01, clientID: before))
        var told = sampleRemote(at: 30, clientID: text, serverID: UUID(), sequence: 7)
        told.isOfText = true
        try test.store.otherPost.upsert([told], at: minute(41))
        #expect(try candidates.count == 2)
        try say(sampleRemote(at: 30, clientID: text), text: text)
        #expect(try candidates.map(\.clientID) == [text])
    }

    @Test func `is one vehicle where the box lost it after it had named its text, and goes on under the text's id`()
        throws
    {
        let (first, again, text, server) = (UUID(), UUID(), UUID(), UUID())
        try say(sampleRemote(at: 30.01, clientID: first))
        var told = sampleRemote(at: 30, clientID: text, serverID: server, sequence: 7)
        told.isOfText = true
        try test.store.otherPost.upsert([told], matched: [text], at: minute(41))
        try say(sampleRemote(at: 30.01, clientID: first), text: text)
        try say(sampleRemote(at: 30.01, clientID: again))
        try say(sampleRemote(at: 30.01, clientID: text), text: text)
        #expect(try test.store.otherPost.passage(clientID: text)?.recordedAt == minute(30.01))
        #expect(try candidates.isEmpty, "the server has matched it")
    }

    @Test func `is one vehicle where only its text is left at the post, and the server has not told of it here`() throws
    {
        let (before, text) = (UUID(), UUID())
        try say(sampleRemote(at: 30.015, clientID: before))
        try say(sampleRemote(at: 30.015, clientID: before), text: text)
        try say(sampleRemote(at: 30, clientID: text), text: text)
        #expect(try candidates.map(\.clientID) == [text])
        // Of another minute it is another one.
        let other = UUID()
        try say(sampleRemote(at: 31, clientID: other), text: other)
        #expect(try candidates.count == 2)
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

    @Test func `holds a correction against the server's older row, until the server says something else`() throws {
        let ways = ways()
        try test.store.otherPost.upsert([ways.upload], at: minute(40))
        var corrected = ways.own
        corrected.plate = Plate(canonical: "BA 1 PA 9999")
        try say(corrected)
        var again = ways.upload
        again.serverSequence = 900
        try test.store.otherPost.upsert([again], at: minute(51))
        #expect(try candidates.map(\.plate.compact) == ["BA1PA9999"])
        #expect(try test.store.otherPost.passage(clientID: ways.own.clientID)?.serverSequence == 900)
        // The warden's word, which the post has not heard.
        again.plate = Plate(canonical: "BA 1 PA 7777")
        again.serverSequence = 901
        try test.store.otherPost.upsert([again], at: minute(52))
        #expect(try candidates.map(\.plate.compact) == ["BA1PA7777"])
    }

    @Test func `holds it also where the server tells that passage for the first time`() throws {
        let ways = ways()
        var corrected = ways.own
        corrected.plate = Plate(canonical: "BA 1 PA 9999")
        try say(corrected)
        try test.store.otherPost.upsert([ways.upload], at: minute(51))
        #expect(try candidates.map(\.plate.compact) == ["BA1PA9999"])
        let known = try test.store.otherPost.passage(clientID: ways.own.clientID)
        #expect(known?.serverID == ways.upload.serverID)
    }

    @Test func `takes no other passage for its text`() throws {
        let (old, ways) = (sampleRemote("BA 3 PA 3333", at: -90), ways())
        try test.store.otherPost.upsert([old], at: minute(0))
        try say(ways.own, withdrawn: true, text: old.clientID)
        #expect(try candidates.map(\.clientID) == [old.clientID])
    }

    @Test func `of its reviews outlives that the server has none, as long as it tells them`() throws {
        let reviews = OtherPost.Reviews(asOf: minute(5), waiting: [])
        try test.store.otherPost.learn(reviews: reviews, at: minute(5))
        try test.store.otherPost.learn(reviews: nil, at: minute(6))
        #expect(try test.store.otherPost.known().reviews == nil)
        try test.store.peers.pair(
            Peer(publicKey: String(repeating: "a", count: 64), code: "BNP-B", address: nil, pairedAt: minute(0)),
            at: minute(0))
        try test.store.otherPost.learn(reviews: reviews, at: minute(7))
        try test.store.otherPost.learn(reviews: nil, at: minute(8))
        #expect(try test.store.otherPost.known().reviews == reviews)
        try test.store.otherPost.learn(reviews: nil, at: minute(30))
        #expect(try test.store.otherPost.known().reviews == nil)
    }

    @Test func `says nothing of who entered before it watched`() throws {
        // Long before the other post was there, and after it.
        try test.store.passages.record(samplePassage("BA 3 PA 3333", at: -9000), at: minute(-9000))
        try test.store.passages.record(samplePassage("BA 4 PA 4444", at: 3), at: minute(3))
        try test.store.otherPost.learn(knownUpTo: minute(10), since: minute(0), at: minute(10))
        let first = MatchProgress(recordedAt: minute(-99_999), clientID: "", window: .milliseconds(0))
        let place = try test.store.matches.progress(MatchProgress.overstay) ?? first
        let entries = try test.store.alerts.nextEntries(after: place, until: minute(10), limit: 10).entries
        #expect(entries.map(\.passage.plate.compact) == ["BA4PA4444"])
        // What was known already is looked at as before.
        try test.store.otherPost.learn(knownUpTo: minute(20), since: minute(5), at: minute(20))
        #expect(try test.store.matches.progress(MatchProgress.overstay)?.recordedAt == minute(0))
    }

    @Test func `proves nothing to the server's count of what came before`() throws {
        try say(sampleRemote(at: 20))
        #expect(try test.store.otherPost.newestSent(notAfter: minute(60)) == nil)
        try test.store.otherPost.upsert([sampleRemote("BA 9 PA 1", at: 10, serverID: UUID())], at: minute(40))
        #expect(try test.store.otherPost.newestSent(notAfter: minute(60)) == minute(10))
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

    @Test func `in a file of an earlier day undoes no correction that it told since`() throws {
        let own = sampleRemote(at: 30)
        try say(own, live: false)
        var corrected = own
        corrected.plate = Plate(canonical: "BA 1 PA 9999")
        try say(corrected)
        try say(own, live: false)
        #expect(try candidates.map(\.plate.compact) == ["BA1PA9999"])
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
