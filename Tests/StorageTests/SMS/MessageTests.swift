import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import Storage

@Suite("Messages on record", .timeLimit(.minutes(10)))
struct MessageTests {
    private let test: TestStore
    private var store: Store { test.store }

    init() throws { test = try TestStore() }

    private func compose(_ passage: Passage) throws(SMSFormatError) -> String {
        try SMSEncoder.encode(
            SMSPassage(
                checkpostCode: passage.checkpostCode, compactPlate: passage.plate.compact,
                vehicleType: passage.vehicleType, recordedAt: passage.recordedAt, rangerPhoneSuffix: "4321"))
    }

    private func begin(_ entry: Int64, at minutes: Double = 6) throws -> HandOver {
        try store.messages.beginSending(entry: entry, to: "+977981", at: minute(minutes), compose: compose)
    }

    /// Records a passage and begins to send it.
    private func sendingMessage(_ plate: String = "BA 1 PA 1234") throws -> (passage: Passage, entry: Int64, id: Int64)
    {
        let passage = samplePassage(plate)
        try store.passages.record(passage, at: minute(0))
        let entry = try #require(try store.queue.entries().first { $0.passageClientID == passage.clientID }).id
        guard case .begun(let id, _) = try begin(entry) else { throw StoreError(.other, "not begun") }
        return (passage, entry, id)
    }

    @Test func `are on the disk as sending, with text, time and the id at the server, before a modem has them`() throws
    {
        let (passage, _, id) = try sendingMessage()
        let again = try Store(path: test.path)
        let message = try #require(try again.messages.message(id: id))
        #expect(message.state == .sending && message.handOvers == 1 && message.handedOverAt == minute(6))
        #expect(message.text == "V1|BNP-A|BA1PA1234|MCY|1795255200|4321")
        #expect(
            try again.passages.passage(clientID: passage.clientID)?.smsClientID == SMSEncoder.clientID(of: message.text)
        )
        #expect(try again.messages.handOvers(since: minute(0)) == [minute(6)])
        try again.close()
    }

    @Test func `that the network took mark the queue entry, and are never offered again`() throws {
        let (_, entry, id) = try sendingMessage()
        try store.messages.settle(message: id, .init(state: .sent, lostAnswers: 0, references: [41]), at: minute(7))
        #expect(try store.queue.entry(id: entry)?.smsSent == true)
        #expect(try store.queue.entry(id: entry)?.status == .pending)
        #expect(try store.messages.waiting().isEmpty)
        #expect(try begin(entry) == .overtaken)
    }

    @Test func `are found by their queue entries, and need no word once they are gone with their passages`() throws {
        let (_, entry, id) = try sendingMessage()
        let other = try sendingMessage("BA 1 PA 5")
        try store.messages.settle(entry: entry, .init(state: .sent, lostAnswers: 0, references: [41]), at: minute(7))
        #expect(try store.messages.message(id: id)?.state == .sent)
        #expect(try store.messages.message(id: other.id)?.state == .sending)
        #expect(try store.queue.entry(id: entry)?.smsSent == true)
        let before = try store.messages.list()
        try store.messages.settle(entry: 4711, .init(state: .failed, lostAnswers: 0), at: minute(8))
        #expect(try store.messages.list() == before)
    }

    @Test func `that were refused cost nothing and take the plate as it is by then`() throws {
        let (passage, entry, id) = try sendingMessage()
        try store.messages.settle(
            message: id, .init(state: .queued, lostAnswers: 0, reason: "busy", takesBack: true), at: minute(7))
        #expect(try store.messages.handOvers(since: minute(0)).isEmpty)
        #expect(try store.messages.message(id: id)?.reason == "busy")
        #expect(try store.messages.waiting().map(\.id) == [entry])
        try store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "ram", at: minute(8))
        guard case .begun(id, let text) = try begin(entry, at: 9) else {
            Issue.record("not begun")
            return
        }
        #expect(text.contains("|BA1PA9|"))
        #expect(try store.passages.passage(clientID: passage.clientID)?.smsClientID == SMSEncoder.clientID(of: text))
    }

    @Test func `whose answer was lost are repeated with the same text, though the plate was corrected`() throws {
        let (passage, entry, id) = try sendingMessage()
        let first = try #require(try store.messages.message(id: id)).text
        #expect(try store.messages.recover(at: minute(7)) == 1)
        #expect(try store.messages.recover(at: minute(7)) == 0)
        let waiting = try #require(try store.messages.waiting().first)
        #expect(waiting.message == .ambiguous && waiting.lostAnswers == 1)
        try store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "ram", at: minute(8))
        #expect(try begin(entry, at: 9) == .begun(message: id, text: first))
        #expect(try store.messages.recover(at: minute(10)) == 1)
        #expect(try store.messages.message(id: id)?.lostAnswers == 2)
        #expect(try store.messages.message(id: id)?.handOvers == 2)
        #expect(try store.messages.waiting().isEmpty)
    }

    @Test func `are not begun for what the server has, gets now, refuses, or for what is withdrawn`() throws {
        let passages = (0..<4).map { samplePassage("BA 1 PA \($0)") }
        for passage in passages { try store.passages.record(passage, at: minute(0)) }
        var entries = try store.queue.entries()
        entries[0].status = .synced
        entries[1].status = .inFlight
        (entries[2].status, entries[2].isRefused) = (.failed, true)
        for entry in entries { try store.queue.update(entry) }
        try store.passages.withdraw(clientID: passages[3].clientID, reason: "none", by: "ram", at: minute(1))
        #expect(try store.messages.waiting().isEmpty)
        for entry in entries { #expect(try begin(entry.id) == .overtaken) }
        (entries[2].isRefused, entries[2].attempts) = (false, 5)
        try store.queue.update(entries[2])
        #expect(try store.messages.waiting().map(\.standing) == [.failedAfterAttempts])
    }

    @Test func `are not begun for a passage on a clock that isn't trusted, which waits for the link and is counted`()
        throws
    {
        var passage = samplePassage()
        passage.clockState = .untrusted
        try store.passages.record(passage, at: minute(0))
        try store.passages.record(samplePassage("BA 1 PA 2"), at: minute(0))
        let entries = try store.queue.entries()
        #expect(try store.messages.waiting().map(\.id) == [entries[1].id])
        #expect(try begin(entries[0].id) == .overtaken)
        #expect(try store.messages.heldBack() == 1)
        var entry = entries[0]
        entry.status = .synced
        try store.queue.update(entry)
        #expect(try store.messages.heldBack() == 0)
    }

    @Test func `are not begun for what the server may have under another plate`() throws {
        for plate in ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"] {
            try store.passages.record(samplePassage(plate), at: minute(0))
        }
        var entries = try store.queue.entries()
        func correct(_ entry: QueueEntry, at minutes: Double) throws {
            try store.passages.correct(
                clientID: entry.passageClientID, to: Plate(canonical: "BA 1 PA 1\(entry.id)"), reason: "misread",
                by: "hari",
                at: minute(minutes))
        }
        // Offered and then corrected; corrected and then offered; corrected, and never offered.
        entries[0].lastAttemptAt = minute(2)
        entries[1].lastAttemptAt = minute(4)
        for entry in entries { try store.queue.update(entry) }
        for entry in entries { try correct(entry, at: 3) }
        #expect(try store.messages.waiting().map(\.id) == [entries[1].id, entries[2].id])
        #expect(try begin(entries[0].id) == .overtaken)
    }

    @Test func `wait in the order in which they were recorded, though the clock was put back`() throws {
        try store.passages.record(samplePassage("BA 1 PA 1"), at: minute(360))
        try store.passages.record(samplePassage("BA 1 PA 2"), at: minute(1))
        #expect(try store.messages.waiting().map(\.createdAt) == [minute(360), minute(1)])
    }

    @Test func `from others keep the last fifty texts and the last thousand senders`() throws {
        for number in 1...60 { try store.messages.noteInbound(from: "NTC", text: "Balance \(number)", at: minute(0)) }
        let kept = try store.messages.inbound(limit: 100)
        #expect(kept.count == 60 && kept.compactMap(\.text).count == 50)
        #expect(kept.first == InboundMessage(sender: "NTC", text: "Balance 60", receivedAt: minute(0)))
        #expect(kept.last == InboundMessage(sender: "NTC", text: nil, receivedAt: minute(0)))
        try store.messages.noteInbound(from: nil, text: String(repeating: "x", count: 10_000), at: minute(1))
        #expect(try store.messages.inbound(limit: 1).first?.text?.count == 500)
    }

    @Test func `say why a passage can't be written, and leave the next ones alone`() throws {
        var passage = samplePassage()
        passage.checkpostCode = "BNP|A"
        try store.passages.record(passage, at: minute(0))
        let entry = try #require(try store.queue.waiting(limit: 1).first).id
        guard case .unwritable(let id, let reason) = try begin(entry) else {
            Issue.record("it can be written")
            return
        }
        #expect(reason.contains("checkpost code"))
        try store.messages.settle(message: id, .init(state: .failed, lostAnswers: 0, reason: reason), at: minute(6))
        #expect(try store.messages.waiting().isEmpty)
        #expect(try store.messages.handOvers(since: minute(0)).isEmpty)
    }

    @Test func `are one for two passages of one plate and second`() throws {
        _ = try sendingMessage()
        let twin = samplePassage()
        try store.passages.record(twin, at: minute(1))
        let entry = try #require(try store.queue.entries().last).id
        guard case .unwritable = try begin(entry) else {
            Issue.record("two messages of one text")
            return
        }
        #expect(try store.passages.passage(clientID: twin.clientID)?.smsClientID == nil)
    }

    @Test func `take the network's word by their reference, the latest first, once`() throws {
        let (_, _, first) = try sendingMessage()
        try store.messages.settle(message: first, .init(state: .sent, lostAnswers: 0, references: [41]), at: minute(7))
        let (_, _, second) = try sendingMessage("BA 1 PA 2")
        try store.messages.settle(message: second, .init(state: .sent, lostAnswers: 0, references: [41]), at: minute(8))
        func report(_ reference: UInt8, _ event: MessageState.Event) throws -> Int64? {
            try store.messages.takeReport(reference: reference, status: 0, event: event, at: minute(9))?.message
        }
        #expect(try report(7, .reportedDelivered) == nil)
        #expect(try report(41, .reportedDelivered) == second)
        #expect(try report(41, .reportedUndeliverable) == first)
        #expect(try report(41, .reportedDelivered) == nil)
        #expect(try store.messages.message(id: second)?.state == .delivered)
        #expect(try store.messages.message(id: first)?.state == .failed)
        #expect(
            try store.messages.takeReport(reference: 41, status: 0, event: .reportedDelivered, at: minute(9 + 80 * 60))
                == nil)
    }

    @Test func `are counted by hour, by day and since midnight`() throws {
        let (_, _, id) = try sendingMessage()
        try store.messages.settle(message: id, .init(state: .sent, lostAnswers: 0), at: minute(7))
        _ = try sendingMessage("BA 1 PA 2")
        for sender in ["+977", nil] { try store.messages.noteInbound(from: sender, at: minute(5)) }
        var counts = try store.messages.counts(midnight: minute(-60), at: minute(10))
        #expect(counts.today == 2 && counts.lastHour == 2 && counts.lastDay == 2)
        #expect(counts.byState[.sent] == 1 && counts.byState[.sending] == 1 && counts.byState[.failed] == 0)
        #expect(counts.inbound == 2 && counts.inboundToday == 2)
        counts = try store.messages.counts(midnight: minute(60), at: minute(90))
        #expect(counts.today == 0 && counts.lastHour == 0 && counts.lastDay == 2)
        #expect(counts.inbound == 2 && counts.inboundToday == 0)
        #expect(try store.messages.inbound().map(\.sender) == [nil, "+977"])
    }

    @Test func `wait for no modem once the link has brought their passage to the server`() throws {
        let (_, entry, id) = try sendingMessage()
        try store.messages.settle(message: id, .init(state: .queued, lostAnswers: 0, takesBack: true), at: minute(7))
        func queued() throws -> Int? {
            try store.messages.counts(midnight: minute(-60), at: minute(10)).byState[.queued]
        }
        #expect(try queued() == 1)
        var sent = try #require(try store.queue.entry(id: entry))
        sent.status = .synced
        try store.queue.update(sent)
        #expect(try queued() == 0)
    }

    @Test func `of a technician wait for whoever has the modem, a few at a time and not for ever`() throws {
        for number in 0..<5 {
            _ = try store.messages.addTest(to: "+977", text: "test \(number)", at: minute(Double(number)))
        }
        #expect(throws: StoreError.self) { try store.messages.addTest(to: "+977", text: "more", at: minute(5)) }
        let begun = try #require(try store.messages.beginTest(askedSince: minute(3), at: minute(5)))
        #expect(begun.text == "test 3" && begun.state == .sending)
        #expect(try store.messages.list().map(\.state) == [.queued, .sending, .failed, .failed, .failed])
        #expect(try store.messages.waiting().isEmpty)
        #expect(try store.messages.counts(midnight: minute(0), at: minute(6)).byState[.sending] == 0)
    }
}
