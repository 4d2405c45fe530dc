import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("What is taken of another post's answer", .timeLimit(.minutes(5)))
final class PeerWordsTests {
    private let folder: TemporaryFolder
    private let store: Store
    /// Of the last answer: rows that could not be read.
    private var unread = 0
    private let now = Instant(milliseconds: 1_795_255_200_000)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
    }

    private func row(_ more: [String: Any] = [:], id: UUID = UUID(), at time: Instant? = nil) -> [String: Any] {
        [
            "client_id": id.uuidString.lowercased(), "plate": "BA1PA1234", "text": "BA 1 PA 1234", "checkpost": "BNP-B",
            "vehicle_type": "car", "clock_state": "synchronised", "recorded_at": (time ?? now - .minutes(5)).iso8601,
        ].merging(more) { $1 }
    }

    private func words(_ rows: [Any]) throws -> [PostWord] {
        let answer: [String: Any] = ["upTo": 9, "hasMore": false, "since": 0, "passages": rows]
        let news = try JSONDecoder().decode(PeerNews.self, from: JSONSerialization.data(withJSONObject: answer))
        let (words, unread) = try news.words(of: "BNP-B", in: store, at: now)
        self.unread = unread
        return words
    }

    @Test func `are the passages that make sense, and no others`() throws {
        let good = UUID()
        let rows: [Any] = [
            row(id: good), row(["checkpost": "BNP-A"]), row(["plate": "?"]), row(["client_id": "x"]), "nonsense", 7,
            row(["vehicle_type": "tank"]), row(["recorded_at": "yesterday"]), row(at: now + .days(3)),
        ]
        let taken = try words(rows)
        #expect(taken.map(\.passage.clientID) == [good] && taken.allSatisfy(\.isLive))
        #expect(taken.first?.passage.plate.canonical == "BA 1 PA 1234")
        // Any of the others may be somebody's passage.
        #expect(unread == rows.count - 1)
        // A wrong clock says any time; it is told again when the time is known.
        #expect(try words([row(["clock_state": "untrusted"], at: now + .days(900))]).isEmpty)
        #expect(unread == 0)
    }

    @Test func `are none of long ago: nobody rewrites what is history`() throws {
        let known = UUID()
        let old = try #require(
            try words([row(id: known)]).first.map { word in
                var word = word
                word.passage.recordedAt = now - .days(20)
                return word
            })
        _ = try store.otherPost.takeIn([old], at: now)
        #expect(try words([row(at: now - .days(20))]).isEmpty)
        // Also where it is told with a time of today, or as the text of another one.
        #expect(try words([row(["withdrawn": true], id: known)]).isEmpty)
        #expect(try words([row(["withdrawn": true, "sms_client_id": known.uuidString])]).isEmpty)
        #expect(unread == 0)
        #expect(try words([row(at: now - .days(13))]).count == 1)
    }

    @Test func `are few at a time, however many an answer holds`() throws {
        #expect(try words((0..<200).map { _ in row() }).count == PeerNews.mostRows)
    }

    @Test func `say whether it was taken back, and the id of its text`() throws {
        let text = UUID()
        let word = try #require(
            try words([row(["withdrawn": true, "sms_client_id": text.uuidString.lowercased()])]).first)
        #expect(word.isWithdrawn && word.text == text)
    }

    @Test func `are what the other side writes`() throws {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "BA 1 PA 1234", vehicleType: .bus,
            checkpostCode: "BNP-B", recordedAt: now - .minutes(1), clockState: .simulated, confidence: 0.9,
            origin: .camera, travel: .leaving)
        try store.passages.record(passage, at: now)
        let stored = try #require(try store.passages.passage(clientID: passage.clientID))
        let reply = PeerReply(upTo: 1, hasMore: false, since: 0, passages: [PeerRow(stored)], reviews: nil)
        let encoded = try JSONEncoder().encode(reply)
        #expect(encoded.count < 400)
        let news = try JSONDecoder().decode(PeerNews.self, from: encoded)
        let word = try #require(try news.words(of: "BNP-B", in: store, at: now).words.first)
        #expect(word.passage == MatchablePassage(passage) && !word.isWithdrawn && word.text == nil)
    }

    @Test func `what waits for review is told whole once, and then only where it changes`() throws {
        let waiting = [WaitingSighting(seenAt: now, plate: Plate(canonical: "BA 1 PA 12"))]
        let first = PeerReviews(.init(asOf: now, waiting: waiting), known: nil)
        #expect(first.isWhole && first.told.reviews(at: now)?.waiting == waiting)
        let again = PeerReviews(
            .init(asOf: now + .seconds(9), waiting: waiting, completeUpTo: now), known: first.digest)
        #expect(!again.isWhole && again.told.reviews(at: now + .hours(1))?.waiting == [])
        #expect(again.told.reviews(at: now + .hours(1))?.completeUpTo == now)
        #expect(PeerReviews(.init(asOf: now, waiting: []), known: first.digest).isWhole)
    }

    @Test(arguments: [
        ("10.0.0.2", "10.0.0.2:8460"), ("::ffff:10.0.0.2", "10.0.0.2:8460"), ("fd00::2", "[fd00::2]:8460"),
    ])
    func `is found where it speaks from`(_ address: String, _ place: String) {
        #expect(PeerAnswers.place(address, 8460) == place)
    }

    @Test func `are of what was done only what makes sense`() throws {
        func told(_ more: [String: Any]) throws -> [ToldOutcome] {
            let outcome: [String: Any] = [
                "entry": UUID().uuidString, "exit": UUID().uuidString, "kind": "fined", "fine": 500, "by": "ram",
                "at": (now - .minutes(1)).milliseconds,
            ]
            let answer: [String: Any] = [
                "upTo": 9, "hasMore": false, "since": 0, "passages": [Any](),
                "outcomes": [outcome.merging(more) { $1 }],
            ]
            return try JSONDecoder().decode(PeerNews.self, from: JSONSerialization.data(withJSONObject: answer))
                .doings(at: now)
        }
        #expect(try told([:]).first?.outcome.fineAmount == 500)
        let nonsense: [[String: Any]] = [
            ["kind": "hanged"], ["fine": -5], ["fine": 1e30], ["fine": NSNull()], ["kind": "warned"], ["by": ""],
            ["by": NSNull()], ["entry": "x"],
        ]
        for more in nonsense { #expect(try told(more).isEmpty, "\(more)") }
        // Whoever acted has no better clock.
        for at in [Int64.min, Int64.max, (now + .days(1)).milliseconds, (now - .days(15)).milliseconds] {
            #expect(try told(["at": at]).first?.outcome.recordedAt == now)
        }
        #expect(try told(["notes": String(repeating: "n", count: 90_000)]).first?.outcome.notes?.count == 8000)
        // One character may be as long as a book.
        let marks = "n" + String(repeating: "\u{301}", count: 50_000)
        #expect(try told(["notes": "ok" + marks]).first?.outcome.notes == "ok")
        #expect(try told(["by": String(repeating: "r", count: 900)]).first?.outcome.recordedBy.count == 600)
        let seen: [String: Any] = ["replacesBy": "ram", "replacesAt": 7]
        #expect(try told(seen).first?.replaces == .init(by: "ram", at: Instant(milliseconds: 7)))
        #expect(try told(seen.merging(["replacesBy": marks]) { $1 }).first?.replaces == nil)
    }
}
