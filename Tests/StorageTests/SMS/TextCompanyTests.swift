import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import Storage

@Suite("Texts of several passages on record", .timeLimit(.minutes(10)))
struct TextCompanyTests {
    private let test: TestStore
    private var store: Store { test.store }
    private let key: TextKey

    init() throws {
        test = try TestStore()
        key = try #require(TextKey(number: 1, secret: Secret(String(repeating: "ab", count: 32)), lastTextNumber: 0))
    }

    private func compose(_ passage: Passage) throws(SMSFormatError) -> String {
        try SMSEncoder.encode(
            SMSPassage(
                checkpostCode: passage.checkpostCode, compactPlate: passage.plate.compact,
                vehicleType: passage.vehicleType, recordedAt: passage.recordedAt, rangerPhoneSuffix: "4321"))
    }

    private func signing(after last: Int64 = 0) -> TextSigning {
        let key = key
        return TextSigning(lastNumber: last) { (passages, number) throws(SMSFormatError) in
            try SignedSMSEncoder.encode(
                SignedSMS(
                    checkpostCode: "BNP-A", number: number, rangerPhoneSuffix: "4321",
                    entries: passages.map { SignedSMS.Entry($0) }), key: key)
        }
    }

    private func record(_ plates: [String]) throws -> [QueueEntry] {
        for plate in plates { try store.passages.record(samplePassage(plate), at: minute(0)) }
        return try store.queue.entries()
    }

    private func begin(
        _ entries: [QueueEntry], at minutes: Double = 6, after last: Int64 = 0
    ) throws -> (id: Int64, text: String, told: SignedSMS) {
        let handOver = try store.messages.beginSending(
            entry: entries[0].id, with: entries.dropFirst().map(\.id), to: "+977981", at: minute(minutes),
            signing: signing(after: last), compose: compose)
        guard case .begun(let id, let text) = handOver else { throw StoreError(.other, "\(handOver)") }
        return (id, text, try SignedSMSDecoder.decode(text, keys: [key]))
    }

    private func states() throws -> [MessageState] { try store.messages.list().map(\.state).reversed() }

    @Test func `are on the disk with all that they carry, each with the id of its V1 text, and cost one`() throws {
        let entries = try record(["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        let sent = try begin(entries)
        #expect(sent.told.entries.map(\.compactPlate) == ["BA1PA1", "BA1PA2", "BA1PA3"] && sent.told.number == 1)
        #expect(try states() == [.sending, .sending, .sending])
        #expect(try store.messages.handOvers(since: minute(0)) == [minute(6)])
        for entry in entries {
            let stored = try #require(try store.passages.passage(clientID: entry.passageClientID))
            #expect(stored.smsClientID == SMSEncoder.clientID(of: try compose(stored.passage)))
            #expect(try store.messages.message(ofPassage: entry.passageClientID)?.text == sent.text)
        }
        try store.messages.settle(
            entry: entries[0].id, .init(state: .sent, lostAnswers: 0, references: [41]), at: minute(7))
        #expect(try states() == [.sent, .sent, .sent])
        #expect(try store.queue.entries().allSatisfy { $0.smsSent && $0.status == .pending })
        #expect(try store.messages.waiting().isEmpty)
        _ = try store.messages.takeReport(reference: 41, status: 0, event: .reportedDelivered, at: minute(8))
        #expect(try states() == [.delivered, .delivered, .delivered])
    }

    @Test func `that a power cut took are repeated once, word for word, by whichever passage comes first`() throws {
        let entries = try record(["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        let first = try begin(Array(entries[0...1]))
        #expect(try store.messages.recover(at: minute(7)) == 2)
        // The link brought the first one meanwhile, and the second was corrected.
        var synced = entries[0]
        synced.status = .synced
        try store.queue.update(synced)
        try store.passages.correct(
            clientID: entries[1].passageClientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "ram",
            at: minute(8))
        let id = try store.passages.passage(clientID: entries[1].passageClientID)?.smsClientID
        #expect(try begin([entries[1], entries[2]], at: 9).text == first.text)
        #expect(try store.passages.passage(clientID: entries[1].passageClientID)?.smsClientID == id)
        #expect(try states() == [.sending, .sending])
        #expect(try store.messages.recover(at: minute(10)) == 2)
        #expect(try store.messages.list().allSatisfy { $0.lostAnswers == 2 && $0.handOvers == 2 })
        #expect(try store.messages.waiting().map(\.id) == [entries[2].id], "twice is enough")
        #expect(try begin([entries[2]], at: 11).told.number == 2)
    }

    @Test func `that were refused are written anew, and leave no gap among their numbers`() throws {
        let entries = try record(["BA 1 PA 1", "BA 1 PA 2"])
        let refused = MessageSettlement(state: .queued, lostAnswers: 0, reason: "busy", takesBack: true)
        let first = try begin(entries)
        try store.messages.settle(entry: entries[0].id, refused, at: minute(7))
        #expect(try states() == [.queued, .queued])
        #expect(try store.messages.handOvers(since: minute(0)).isEmpty)
        #expect(try store.messages.list().allSatisfy { $0.handOvers == 0 && $0.reason == "busy" })
        let alone = try begin([entries[1]], at: 8)
        #expect(alone.told.number == first.told.number && alone.told.entries.count == 1)
        #expect(try states() == [.queued, .sending])
        // The network had it, and charged it: its number is spent.
        try store.messages.settle(entry: entries[1].id, .init(state: .queued, lostAnswers: 0), at: minute(9))
        #expect(try begin(entries, at: 10).told.number == 2)
        #expect(try begin(entries.reversed(), at: 10).told.entries.count == 1, "the other one is with the modem")
    }

    @Test func `that are given up take nobody with them`() throws {
        let entries = try record(["BA 1 PA 1", "BA 1 PA 2"])
        _ = try begin(entries)
        try store.messages.settle(
            entry: entries[0].id, .init(state: .failed, lostAnswers: 0, reason: "not liked", takesBack: true),
            at: minute(7))
        #expect(try states() == [.failed, .queued])
        #expect(try store.messages.waiting().map(\.id) == [entries[1].id])
    }

    @Test func `hold as many as one message takes, and leave out what can't stand beside the others`() throws {
        var plates = (10..<40).map { "BA \($0) PA 12\($0)" }
        plates.insert("BA 10 PA 1210", at: 1)
        let entries = try record(plates)
        try store.passages.withdraw(clientID: entries[3].passageClientID, reason: "none", by: "ram", at: minute(1))
        let sent = try begin(entries)
        #expect(GSMSeptets.count(of: sent.text) ?? 161 <= 160)
        let plate = sent.told.entries.map(\.compactPlate)
        #expect(plate.count >= 8 && plate.count == Set(plate).count, "one of two with one plate and second: \(plate)")
        #expect(!plate.contains("BA12PA1212"), "it was withdrawn")
        #expect(try store.messages.list().count == plate.count)
    }

    @Test func `go on behind the highest number that the server or this box knows`() throws {
        let entries = try record(["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        #expect(try begin([entries[0]], after: 40).told.number == 41)
        #expect(try begin([entries[1]], after: 7).told.number == 42)
        #expect(try begin([entries[2]], after: 90).told.number == 91)
    }

    @Test func `are signed with a key that lies in a file for its user alone, and in no message`() throws {
        let file = store.textKey
        #expect(file.read() == nil)
        try file.keep(key)
        #expect(file.read() == key)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.file.path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        #expect(!"\(key) \(TextKeyWord(key))".contains("abab") && !String(reflecting: key).contains("abab"))
        var dumped = ""
        dump([key], to: &dumped)
        dump(TextKeyWord(key), to: &dumped)
        #expect(!dumped.contains("abab"))
        try Data("{}".utf8).write(to: file.file)
        #expect(file.read() == nil)
        try file.keep(nil)
        #expect(file.read() == nil)
    }
}
