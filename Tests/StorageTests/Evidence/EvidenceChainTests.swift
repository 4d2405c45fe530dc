import Enforcement
import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("The evidence chain of a box", .timeLimit(.minutes(10)))
struct EvidenceChainTests {
    /// Everything on record, in order.
    private func entries(_ store: Store) throws -> [StoredEvidence] {
        try store.read("Reading evidence") { db in
            try Row.fetchAll(db, sql: "SELECT * FROM evidence_entries ORDER BY id").map(StoredEvidence.init)
        }
    }

    private func kinds(_ store: Store) throws -> [String] {
        try entries(store).map { EvidenceText($0.text).value("kind") ?? "" }
    }

    /// Whether each entry follows the one before and is signed with the key in force.
    private func isSound(_ entries: [StoredEvidence]) -> Bool {
        let texts = entries.map { EvidenceText($0.text) }
        return zip(texts.dropFirst(), texts).allSatisfy { $0.chain != $1.chain || $0.follows($1) }
            && zip(entries, texts).allSatisfy { entry, text in
                guard let signature = entry.signature, let key = entry.key else { return false }
                return text.isSigned(by: signature, key: key)
            }
    }

    @Test func `has a passage, its correction and its withdrawal as entries, each signed as it is written`() throws {
        let test = try TestStore()
        let made = try test.store.evidence.lookAfterKey(at: minute(0))
        guard case .made(let key) = made else { return #expect(Bool(false), "\(made)") }
        let passage = samplePassage(photoSHA256: nil)
        try test.store.passages.record(passage, at: minute(1))
        try test.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 1284"), reason: "Misread.", by: "ram",
            at: minute(2))
        try test.store.passages.withdraw(clientID: passage.clientID, reason: "A tree.", by: "sita", at: minute(3))
        let all = try entries(test.store)
        #expect(try kinds(test.store) == ["began", "passage", "corrected", "withdrawn"])
        #expect(isSound(all))
        #expect(all.allSatisfy { $0.key == key })
        #expect(EvidenceText(all[0].text).value("key") == key)
        #expect(EvidenceText(all[2].text).value("by") == "ram")
        // What is recorded twice is one entry.
        #expect(try !test.store.passages.record(passage, at: minute(4)))
        #expect(try entries(test.store).count == 4)
    }

    @Test func `goes on without a key, and is signed in order once there is one`() throws {
        let test = try TestStore()
        try test.store.passages.record(samplePassage(at: 0), at: minute(0))
        try test.store.passages.record(samplePassage("BA 2 PA 1", at: 1), at: minute(1))
        #expect(try test.store.evidence.unsignedCount() == 3)
        #expect(try test.store.evidence.toSend(limit: 10).isEmpty)
        try test.store.evidence.lookAfterKey(at: minute(2))
        try test.store.passages.record(samplePassage("BA 2 PA 2", at: 3), at: minute(3))
        #expect(try kinds(test.store) == ["began", "passage", "passage", "key", "passage"])
        #expect(try test.store.evidence.unsignedCount() == 0)
        #expect(try isSound(entries(test.store)))
    }

    @Test func `waits for a key that can't be read, and goes on with it`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        try test.store.passages.record(samplePassage(at: 0), at: minute(0))
        let key = try #require(try test.store.evidence.currentKey())
        let file = test.store.evidenceKeys.folder.appendingPathComponent(key + ".key")
        let bytes = try Data(contentsOf: file)
        try Data("broken".utf8).write(to: file)
        // Another process, which has not read it yet.
        let other = try Store(path: test.path)
        defer { try? other.close() }
        try other.passages.record(samplePassage("BA 2 PA 1", at: 1), at: minute(1))
        #expect(try other.evidence.unsignedCount() == 1)
        guard case .unreadable(key, _) = try other.evidence.lookAfterKey(at: minute(2)) else {
            return #expect(Bool(false), "a broken key was taken for a sound one")
        }
        try bytes.write(to: file)
        #expect(try other.evidence.lookAfterKey(at: minute(3)) == .sound)
        #expect(try isSound(entries(other)))
    }

    @Test func `begins anew where its key was lost, and says so`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        try test.store.passages.record(samplePassage(at: 0), at: minute(0))
        let key = try #require(try test.store.evidence.currentKey())
        try FileManager.default.removeItem(at: test.store.evidenceKeys.folder)
        let other = try Store(path: test.path)
        defer { try? other.close() }
        try other.passages.record(samplePassage("BA 2 PA 1", at: 1), at: minute(1))
        guard case .lost(key, let new) = try other.evidence.lookAfterKey(at: minute(2)) else {
            return #expect(Bool(false), "a key that is gone was not missed")
        }
        #expect(new != key)
        try other.passages.record(samplePassage("BA 2 PA 2", at: 3), at: minute(3))
        let all = try entries(other)
        #expect(try kinds(other) == ["began", "passage", "passage", "began", "passage"])
        let begun = EvidenceText(all[3].text)
        #expect(begun.value("because") == "the key was lost" && begun.value("key") == new)
        // The new key vouches for the end of the old chain, which nobody signed.
        #expect(begun.value("after") == "\(all[2].chain.stored) 3 \(EvidenceEntry.hash(of: all[2].text))")
        #expect(all[2].signature == nil && isSound(Array(all[3...])))
        #expect(try other.evidence.unsignedCount() == 0)
        // It is asked once.
        #expect(try other.evidence.lookAfterKey(at: minute(4)) == .sound)
    }

    @Test func `has its key changed by an entry that the old one signs`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        try test.store.passages.record(samplePassage(at: 0), at: minute(0))
        let old = try #require(try test.store.evidence.currentKey())
        let new = try test.store.evidence.changeKey(at: minute(1))
        try test.store.passages.record(samplePassage("BA 2 PA 2", at: 3), at: minute(3))
        let all = try entries(test.store)
        #expect(all.map(\.key) == [old, old, old, new] && isSound(all))
        #expect(EvidenceText(all[2].text).value("key") == new)
        #expect(test.store.evidenceKeys.standing(of: old) == .absent)
        #expect(try test.store.evidence.lookAfterKey(at: minute(4)) == .sound)
    }

    @Test func `doesn't go on where a backup ended`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        try test.store.passages.record(samplePassage(at: 0), at: minute(0))
        try test.store.beginAnewFromBackup(at: minute(1))
        try test.store.passages.record(samplePassage("BA 2 PA 2", at: 3), at: minute(3))
        let all = try entries(test.store)
        #expect(try kinds(test.store) == ["began", "passage", "began", "passage"])
        #expect(EvidenceText(all[2].text).value("because") == "the database was restored from a backup")
        #expect(all[2].chain != all[1].chain && isSound(all))
    }

    @Test func `is sent in order, and once more where the server lost some`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        for number in 0..<5 {
            try test.store.passages.record(samplePassage("BA 2 PA \(number)", at: Double(number)), at: minute(9))
        }
        let evidence = test.store.evidence
        let first = try evidence.toSend(limit: 3)
        #expect(first.map(\.number) == [1, 2, 3])
        try evidence.sent(first, anchoredAt: minute(10), next: 4)
        let second = try evidence.toSend(limit: 3)
        #expect(second.map(\.number) == [4, 5, 6])
        try evidence.sent(second, anchoredAt: minute(11), next: 2)
        #expect(try evidence.toSend(limit: 9).map(\.number) == [2, 3, 4, 5, 6])
        try evidence.sent(evidence.toSend(limit: 9), anchoredAt: minute(12), next: 7)
        #expect(try evidence.toSend(limit: 9).isEmpty)
        #expect(try entries(test.store).compactMap(\.anchoredAt) == [minute(10), minute(11)])
    }

    @Test func `is told of a passage from the end of the parcel before to the end of its own`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        var passages: [Passage] = []
        for number in 0..<9 {
            passages.append(samplePassage("BA 2 PA \(number)", at: Double(number)))
            try test.store.passages.record(passages[number], at: minute(9))
            // Entries 2 to 10, in parcels that end with 3, 6 and 9.
            if number % 3 == 1 {
                let parcel = try test.store.evidence.toSend(limit: 9)
                try test.store.evidence.sent(parcel, anchoredAt: minute(9), next: number + 3)
            }
        }
        #expect(try test.store.evidence.around(passage: passages[3].clientID).map(\.number) == [3, 4, 5, 6])
        #expect(try test.store.evidence.around(passage: passages[0].clientID).map(\.number) == [1, 2, 3])
        #expect(try test.store.evidence.around(passage: passages[8].clientID).map(\.number) == [9, 10])
        #expect(try test.store.evidence.around(passage: UUID()).isEmpty)
    }

    @Test func `goes where it leads to no passage any more, from the end of a parcel on`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        var passages: [Passage] = []
        for number in 0..<6 {
            passages.append(samplePassage("BA 2 PA \(number)", at: Double(number)))
            try test.store.passages.record(passages[number], at: minute(9))
            // Entries 2 to 7, in parcels that end with 3 and 5; the last two are not sent.
            if number == 1 || number == 3 {
                let parcel = try test.store.evidence.toSend(limit: 9)
                try test.store.evidence.sent(parcel, anchoredAt: minute(9), next: number + 3)
            }
        }
        try test.store.evidence.removeOld()
        #expect(try entries(test.store).map(\.number) == [1, 2, 3, 4, 5, 6, 7])
        for passage in passages.prefix(4) {
            try test.store.write("Removing a passage") { db in
                try db.execute(
                    sql: "DELETE FROM sync_queue WHERE passage_client_id = ?", arguments: [passage.clientID.stored])
                try db.execute(sql: "DELETE FROM passages WHERE client_id = ?", arguments: [passage.clientID.stored])
            }
        }
        try test.store.evidence.removeOld()
        // Entry 6 is of the first passage that is left: what leads to it from the end of the parcel before stays.
        #expect(try entries(test.store).map(\.number) == [5, 6, 7])
        #expect(try test.store.evidence.around(passage: passages[4].clientID).map(\.number) == [5, 6])
        // The chain goes on where it was.
        try test.store.passages.record(samplePassage("BA 2 PA 77", at: 50), at: minute(50))
        #expect(try isSound(entries(test.store)))
    }

    @Test func `comes along out of a damaged database, and the new one says that it was lost`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        try test.store.passages.record(samplePassage(at: 0), at: minute(0))
        try test.store.close()
        let aside = test.path + ".damaged-1"
        try FileManager.default.moveItem(atPath: test.path, toPath: aside)
        try? FileManager.default.moveItem(atPath: test.path + "-wal", toPath: aside + "-wal")
        try? FileManager.default.removeItem(atPath: test.path + "-shm")
        let new = try Store(path: test.path)
        defer { try? new.close() }
        try new.beginAfterLoss(at: minute(5))
        try new.evidence.lookAfterKey(at: minute(5))
        try new.passages.record(samplePassage("BA 2 PA 2", at: 6), at: minute(6))
        let salvage = try Salvage(aside, into: new, photos: test.photos)
        defer { salvage.close() }
        let taken = try salvage.takeAll(at: minute(7))
        let all = try entries(new)
        try #require(all.map(\.number) == [1, 2, 1, 2], "\(all.map(\.text)) \(taken)")
        #expect(isSound(all))
        #expect(EvidenceText(all[2].text).value("because") == "the database was lost")
        // The newer chain goes on.
        try new.passages.record(samplePassage("BA 2 PA 3", at: 8), at: minute(8))
        #expect(try entries(new).last?.chain == all[2].chain)
    }

    @Test func `keys are for the box's user alone`() throws {
        let test = try TestStore()
        try test.store.evidence.lookAfterKey(at: minute(0))
        let key = try #require(try test.store.evidence.currentKey())
        let folder = test.store.evidenceKeys.folder
        func mode(_ url: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder) == 0o700)
        #expect(try mode(folder.appendingPathComponent(key + ".key")) == 0o600)
    }
}
