import Enforcement
import Foundation
import ParkAPI
import Storage
import Synchronizer

/// Writes what a new box of this road begins with: road and limits, the office's lists, the other post's passages, and how far the
/// server was read.
///
/// Nothing of this box's own goes along: no queue, no account of the box, no secret. See note 0341.
package struct SeedMaker {
    package struct Made: Sendable {
        package var passages = 0
        package var listed = 0
        package var accounts = 0
        package var bytes = 0
        package var hasMarks = false
        package var key = ""
        package var forPost = ""
    }

    /// More than a week of two busy posts.
    package static let mostPassages = 50_000

    private let configuration: Configuration
    private let store: Store

    package init(_ configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    /// - Parameters:
    ///   - post: whose box may take it; nil for the other post's.
    ///   - hasAccounts: accounts of the server go along, with their hashes: for a box of this post alone.
    ///   - say: told how many passages are written, of how many.
    /// - Throws: `AdvisedError` where the box has nothing to give.
    package func make(
        _ path: String, for post: String?, hasAccounts: Bool, at now: Instant, say: (Int, Int) -> Void
    ) throws -> Made {
        let own = configuration.post.code
        let post = post ?? configuration.otherPostCode
        guard let road = try store.segments.segment(ofCheckpost: own), let maker = Self.id(own, road.checkposts),
            let taker = Self.id(post, road.checkposts)
        else {
            throw AdvisedError(
                "The server has not told this box of a road with \(own) and \(post).",
                hint: "Make the seed at a box of this road that was online; `checkpost sync` shows its link.")
        }
        guard !hasAccounts || post == own else {
            throw AdvisedError(
                "Accounts belong to their post: those of \(own) are none of \(post).",
                hint: "Leave --accounts out: at \(post) people sign in with their passwords once the server answers.")
        }
        guard let key = try store.evidence.currentKey(), store.evidence.keys.standing(of: key) == .here else {
            throw AdvisedError(
                "This box has no key to sign with that this user can read.",
                hint: "Put sudo before the command; `checkpost evidence key` shows the key.")
        }
        // Before the passages: what comes meanwhile is read once more at the new box, and never passed over.
        let marks = try SeedMarks.read(store, maker: maker, taker: taker)
        let settings = SyncTuning.settings(of: configuration.sync, under: try ServerSettings(store)).0
        let since = now - settings.window - settings.windowBuffer
        let rows = try store.otherPost.seed(ofPost: post == own ? nil : own, since: since, limit: Self.mostPassages)
        guard rows.count < Self.mostPassages else {
            throw AdvisedError(
                "More than \(Self.mostPassages) passages would be in it.", hint: "Make matching.window_hours shorter.")
        }
        var made = Made(key: key, forPost: post)
        let file = try SeedWriter(path)
        try file.write(
            SeedLine(
                SeedLine.Head(
                    program: Version.text, madeBy: own, forPost: post, madeAt: now.milliseconds,
                    since: since.milliseconds, key: key)))
        try file.write(SeedLine(SeedLine.Road(segment: road.segment, checkposts: road.checkposts)))
        for plate in try store.listedPlates.list() {
            try file.write(SeedLine(SeedLine.Listed(plate)))
            made.listed += 1
        }
        if hasAccounts { made.accounts = try write(try store.accounts.users(), to: file) }
        for row in rows {
            guard let serverID = row.passage.serverID else { continue }
            try file.write(
                SeedLine(SeedLine.Passed(row.passage, serverID: serverID, isMatched: row.isMatched)))
            made.passages += 1
            if made.passages % 1000 == 0 { say(made.passages, rows.count) }
        }
        for mark in marks { try file.write(SeedLine(mark)) }
        made.hasMarks = !marks.isEmpty
        made.bytes = try file.finish(signedBy: key, of: store.evidence.keys)
        return made
    }

    static func id(_ code: String, _ posts: [Checkpost]) -> UUID? { posts.first { $0.code == code }?.id }

    private func write(_ users: [User], to file: SeedWriter) throws -> Int {
        var count = 0
        for user in users where user.origin == .server {
            guard let standing = user.standing, standing.isOpen else { continue }
            try file.write(
                SeedLine(
                    SeedLine.Account(
                        name: user.name, fullName: user.fullName, role: user.role.rawValue,
                        passwordHash: user.passwordHash, pinHash: user.pinHash,
                        createdAt: user.createdAt.milliseconds, askedAt: standing.askedAt.milliseconds)))
            count += 1
        }
        return count
    }
}

/// Writes the lines of a seed beside its place, and moves it there when it is whole.
private final class SeedWriter {
    private let file: LineWriter
    private var composer = SeedComposer()

    init(_ path: String) throws {
        file = try LineWriter(path: path, mode: 0o600)
    }

    func write(_ line: SeedLine) throws { try file.write(composer.text(of: line)) }

    /// - Returns: how many bytes it has.
    func finish(signedBy key: String, of keys: EvidenceKeys) throws -> Int {
        guard let end = try composer.end({ keys.sign($0, with: key) }) else {
            throw AdvisedError("The key \(key.prefix(16)) can't be used.", hint: "Put sudo before the command.")
        }
        try file.write(end)
        try file.finish()
        return composer.bytes
    }
}
