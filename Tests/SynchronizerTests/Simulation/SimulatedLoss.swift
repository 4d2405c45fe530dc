import Enforcement
import Foundation
import Storage
import TestKit

/// The records of a post are lost, with its disk or its database, and it goes on from a backup or from nothing.
extension Simulation {
    /// Drawn apart: nothing else of a day changes with it. Where the server goes back too, what neither has any longer is lost for good, and
    /// nobody can say what is right.
    func lossesOfRecords() -> [Happening] {
        var own = Chance(seed: seed &* 197 &+ 13)
        guard own.happens(0.35), !goesServerBack else { return [] }
        let isA = own.happens(0.5)
        let hasBackup = own.happens(0.6)
        let rereads = own.happens(0.5)
        let from = TimeSpan.seconds(own.share() * length.seconds)
        let at = from.adding(own.span(20...1500))
        var backup: String?
        var happenings: [Happening] = []
        if hasBackup {
            happenings.append(Happening(at: from) { [unowned self] in backup = try post(isA).backUp() })
        }
        happenings.append(
            Happening(at: at) { [unowned self] in
                let post = post(isA)
                // Where none could be made there is nothing to go on from.
                try post.lose(goingOnFrom: backup, rereading: rereads)
                if peer.isThere { try peer.pairAnew(post, self.post(!isA)) }
                post.losses += 1
                events.append(
                    "\(post.code) lost its records at \(post.clock.now.iso8601), "
                        + (backup == nil ? "no backup" : "a backup of \((SimulatedClock.start + from).iso8601)")
                        + (rereads ? ", pictures read once more" : ""))
            })
        return happenings
    }

    /// Plates of vehicles of which a post lost a passage that nobody else has.
    var lostPlates: Set<String> {
        Set(posts.flatMap { $0.lost.flatMap(\.plates) + $0.uncorrected })
    }

    /// Those whose drives nobody can tell in the end.
    var untoldPlates: Set<String> {
        let unseen = Set(posts.flatMap { $0.unseen.map(\.plate) })
        let misread = trips.filter { unseen.contains(Plate(canonical: $0.misread)) }.map { Plate(canonical: $0.plate) }
        return lostPlates.union((unseen.union(misread)).map(\.compact))
    }
}

extension Passage {
    /// As it is on record, and as it was read.
    var plates: [String] { [plate.compact, Plate(canonical: plateRaw).compact] }
}

extension SimulatedPost {
    /// How plates of what is no vehicle begin.
    static let phantom = "BA 66 KHA"

    /// - Returns: the backup's file; nil where none could be made.
    func backUp() throws -> String? {
        guard !isPowerless else { return nil }
        let path = "\(folder)/backup.sqlite"
        _ = try store.copy(to: path)
        return path
    }

    /// Loses all records, and goes on from a backup or from nothing.
    ///
    /// - Parameter rereading: its camera's folder still holds the pictures of those that are gone: they are read once more.
    func lose(goingOnFrom backup: String?, rereading: Bool) throws {
        cutPower()
        link.dropWhatIsHeldUp()
        let path = "\(folder)/checkpost.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        if let backup {
            try FileManager.default.copyItem(atPath: backup, toPath: path)
        } else {
            try FreshDatabase.place(at: path) { try Store(path: $0).close() }
        }
        let new = try Store(path: path)
        if backup == nil { try new.beginAfterLoss(at: clock.now) } else { try new.beginAnewFromBackup(at: clock.now) }
        try new.close()
        try comeBack()
        nextTick = clock.uptime
        guard rereading else {
            missing += try recorded.filter { try store.passages.passage(clientID: $0.clientID) == nil }
            return
        }
        // What is withdrawn between such a reading and the first contact comes back from the server.
        for index in recorded.indices
        where !withdrawn.contains(recorded[index].clientID) && !recorded[index].plateRaw.hasPrefix(Self.phantom) {
            guard try store.passages.passage(clientID: recorded[index].clientID) == nil else { continue }
            let old = recorded[index]
            let again = Passage(
                clientID: ids.next(), plate: Plate(canonical: old.plateRaw), plateRaw: old.plateRaw,
                vehicleType: old.vehicleType, checkpostCode: code, recordedAt: old.recordedAt,
                clockState: old.clockState, confidence: old.confidence, origin: .camera,
                photoSHA256: old.photoSHA256)
            if old.plate.compact != again.plate.compact { retold.insert(old.plate.compact) }
            try commit(again)
            aside.insert(again.clientID)
            recorded[index] = again
        }
    }

    /// In the end: under which ids the passages are on record, and which are nowhere.
    func settleRecorded() throws {
        let stored = try store.passages.list(limit: 1000)
        // A withdrawal that nobody else knew of is lost, too: what was cancelled before it was sent is sent now, and the server's row comes
        // back.
        let inForce = stored.filter { $0.withdrawnAt == nil }.map(\.passage)
        for passage in recorded where withdrawn.contains(passage.clientID) && inForce.contains(where: passage.isAgain) {
            withdrawn.remove(passage.clientID)
            aside.insert(passage.clientID)
        }
        let there = stored.map(\.passage)
        for index in recorded.indices {
            let passage = recorded[index]
            guard !withdrawn.contains(passage.clientID) else { continue }
            if let same = there.first(where: { $0.clientID == passage.clientID }) {
                // What a ranger had put right went with the records.
                if same.plate.compact != passage.plate.compact { uncorrected.insert(passage.plate.compact) }
                continue
            }
            if let again = there.first(where: passage.isAgain) {
                if again.plate.compact != passage.plate.compact { uncorrected.insert(passage.plate.compact) }
                recorded[index] = again
                aside.insert(again.clientID)
            } else {
                lost.append(passage)
            }
        }
        let gone = Set(lost.map(\.clientID))
        recorded.removeAll { gone.contains($0.clientID) }
    }
}
