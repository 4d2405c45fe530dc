import Crypto
import Enforcement
import Foundation
import ParkAPI
import Storage
import Synchronizer

/// Checks a seed and takes it into a new box. All of it is checked before anything is taken; how far the server was read is kept last, so that
/// a power cut in between costs nothing: the same seed once more goes on.
package struct SeedTaker {
    package struct Checked: Sendable {
        package var key: String
        package var madeBy: String
        package var madeAt: Instant
        package var passages: Int
        let lines: [Data]
        let head: SeedLine.Head
        let road: SeedLine.Road
    }

    package struct Taken: Sendable, Equatable {
        package var added = 0
        package var known = 0
        package var listed = 0
        package var accounts = 0
        /// Whether the server is read from where the seed ends.
        package var goesOn = false
    }

    package static let mostBytes = 64 << 20
    package static let mostDays = 14
    private static let chunk = 200

    private let configuration: Configuration
    private let store: Store

    package init(_ configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    /// Whether a file is a seed for this box: whole, signed by the key that it names, of this road, for this post, and not too old.
    ///
    /// - Throws: `AdvisedError` with what is wrong. Nothing was taken.
    package func check(_ path: String, at now: Instant) throws -> Checked {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
        guard let size, size <= Self.mostBytes, let data = FileManager.default.contents(atPath: path) else {
            throw AdvisedError("\(path) can't be read, or is larger than 64 MB.", hint: "Copy it again.")
        }
        func refuse(_ why: String) -> AdvisedError {
            AdvisedError(
                "\(path) is no seed for this box: \(why).",
                hint: "Make another: `checkpost seed make` at the other box.")
        }
        var lines = data.split(separator: UInt8(ascii: "\n")).map { Data($0) }
        let decoder = JSONDecoder()
        let first = lines.first.flatMap { try? decoder.decode(SeedLine.self, from: $0) }
        guard let head = first?.head, head.format == SeedLine.Head.format else {
            throw refuse("it doesn't begin as one")
        }
        guard head.version == SeedLine.Head.version else {
            throw refuse("its form is \(head.version), and this program reads form \(SeedLine.Head.version)")
        }
        guard let last = lines.popLast(), let end = (try? decoder.decode(SeedLine.self, from: last))?.end,
            end.lines == lines.count
        else { throw refuse("it is cut off") }
        var hash = SHA256()
        for line in lines { hash.update(data: line + Data("\n".utf8)) }
        let sha256 = EvidenceEntry.hexadecimal(Data(hash.finalize()))
        guard sha256 == end.sha256, let signature = Data(base64Encoded: end.signature),
            EvidenceText(SeedLine.message(sha256: sha256)).isSigned(by: signature, key: head.key)
        else { throw refuse("it was changed since it was signed") }
        let own = configuration.post.code
        guard head.forPost == own else { throw refuse("it is for \(head.forPost), and this is \(own)") }
        let road = lines.dropFirst().prefix(1).compactMap { (try? decoder.decode(SeedLine.self, from: $0))?.road }.first
        let passages = lines.count { $0.range(of: Data("{\"passage\":".utf8)) != nil }
        guard passages <= SeedMaker.mostPassages else {
            throw refuse("it has more than \(SeedMaker.mostPassages) passages")
        }
        guard let road, SeedMaker.id(own, road.checkposts) != nil,
            SeedMaker.id(configuration.otherPostCode, road.checkposts) != nil
        else { throw refuse("it is of a road without \(own) and \(configuration.otherPostCode)") }
        if let known = try store.segments.segment(ofCheckpost: own)?.segment.id, known != road.segment.id {
            throw refuse("the server has told this box of another road")
        }
        let segment = road.segment
        let problem = Segment.problem(
            distanceKm: segment.distanceKm, maxSpeedKmh: segment.maxSpeedKmh, minSpeedKmh: segment.minSpeedKmh,
            toleranceKmh: segment.toleranceKmh, tolerancePercent: segment.tolerancePercent,
            typeSpeeds: segment.typeSpeeds, hourLimits: segment.hourLimits)
        if let problem { throw refuse("its road makes no sense. \(problem)") }
        let madeAt = Instant(milliseconds: head.madeAt)
        guard madeAt - now <= .hours(24) else {
            throw refuse("it is of \(madeAt.nepalText), which is to come: look at the clock of the box that made it")
        }
        guard now - madeAt <= .hours(24 * Double(Self.mostDays)) else {
            throw refuse("it is of \(madeAt.nepalText), more than \(Self.mostDays) days ago")
        }
        if let read = try store.cursors.value(SyncCursor.linkLastSuccess), read > head.madeAt {
            throw AdvisedError(
                "This box has read the server itself since the seed was made: it knows more than the seed.",
                hint: "Nothing is to be done. To fetch it all anew: `checkpost sync reset --all`.")
        }
        return Checked(
            key: head.key, madeBy: head.madeBy, madeAt: madeAt,
            passages: passages, lines: lines, head: head,
            road: road)
    }

    /// Takes what was checked. Once more changes nothing.
    ///
    /// - Parameter say: told how many passages are taken, of how many.
    package func take(_ seed: Checked, at now: Instant, say: (Int, Int) -> Void) throws -> Taken {
        var taken = Taken()
        let lines = try seed.lines.map { try JSONDecoder().decode(SeedLine.self, from: $0) }
        let rows = lines.compactMap(\.passage)
        for start in stride(from: 0, to: rows.count, by: Self.chunk) {
            let some = rows[start..<min(start + Self.chunk, rows.count)]
            let passages = some.compactMap { $0.passage(of: configuration.otherPostCode) }
            // What is here already came from the server, and may be newer.
            let unknown = try store.otherPost.unknown(among: passages.map(\.clientID))
            let new = passages.filter { unknown.contains($0.clientID) }
            taken.added += try store.otherPost.upsert(
                new, matched: Set(some.filter(\.isMatched).map(\.clientID)), at: now)
            taken.known += passages.count - new.count
            say(min(start + Self.chunk, rows.count), rows.count)
        }
        try store.segments.keep(seed.road.segment, checkposts: seed.road.checkposts, at: now)
        let listed = lines.compactMap(\.listed).compactMap(\.listed)
        try store.listedPlates.replace(listed)
        taken.listed = listed.count
        taken.accounts = try take(lines.compactMap(\.account), madeBy: seed.madeBy)
        taken.goesOn = try takeMarks(lines.compactMap(\.mark), seed, at: now)
        return taken
    }

    private func take(_ accounts: [SeedLine.Account], madeBy: String) throws -> Int {
        guard madeBy == configuration.post.code else { return 0 }
        var count = 0
        for account in accounts where User.isName(account.name) {
            guard let role = User.Role(rawValue: account.role), try store.accounts.user(account.name) == nil else {
                continue
            }
            var user = User(
                name: account.name, fullName: account.fullName, role: role, origin: .server,
                passwordHash: account.passwordHash, pinHash: account.pinHash,
                createdAt: Instant(milliseconds: account.createdAt))
            user.standing = ServerStanding(isOpen: true, askedAt: Instant(milliseconds: account.askedAt))
            try store.accounts.add(user)
            count += 1
        }
        return count
    }

    /// Where this box looks further back than the seed goes, it reads the server from the start.
    private func takeMarks(_ marks: [SeedLine.Mark], _ seed: Checked, at now: Instant) throws -> Bool {
        let settings = SyncTuning.settings(of: configuration.sync, under: try ServerSettings(store)).0
        let wanted = seed.madeAt - settings.window - settings.windowBuffer
        guard seed.head.since <= wanted.milliseconds,
            let taker = SeedMaker.id(configuration.post.code, seed.road.checkposts)
        else { return false }
        return try SeedMarks.keep(marks, in: store, taker: taker, at: now)
    }
}
