import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("A seed that a box makes for a new one", .serialized, .timeLimit(.minutes(15)))
struct SeedTests {
    /// A box of BNP-A without a server, which has had one: with its road, its passages as the server knows them, and how far it was read.
    private struct Maker {
        let rig: SeedRig
        let file: String
        let key: String
        let posts = [
            Checkpost(id: UUID(), code: "BNP-A", name: "A", positionIndex: 0),
            Checkpost(id: UUID(), code: "BNP-B", name: "B", positionIndex: 1),
        ]

        init(passages count: Int) throws {
            rig = try SeedRig("a")
            file = rig.folder["b.seed"].path
            let now = BoxClock.now
            let segment = Segment(id: UUID(), name: "Banke", distanceKm: 45, maxSpeedKmh: 35, minSpeedKmh: 10)
            try rig.store.segments.keep(segment, checkposts: posts, at: now)
            try rig.store.listedPlates.replace([
                ListedPlate(kind: .exempt, plate: Plate(canonical: "BA 1 JHA 1"), reason: "Park", listedAt: now)
            ])
            _ = try rig.store.evidence.lookAfterKey(at: now)
            key = try #require(try rig.store.evidence.currentKey())
            var rows: [OwnServerRow] = []
            for number in 0..<count {
                let passage = try rig.record("BA 1 PA \(1000 + number)", minutesAgo: Double(count - number) / 60)
                rows.append(
                    OwnServerRow(
                        clientID: passage.clientID, serverID: UUID(), matchedServerID: nil, plate: passage.plate))
            }
            let name = "pull_own_\(try #require(posts[0].id).uuidString.lowercased())"
            try rig.store.reconciliation.learn(
                rows, cursor: SyncCursor(name: name, value: 4711, row: rows.last?.serverID), at: now)
            try rig.record("BA 9 PA 9999", minutesAgo: 0)
        }

        var otherCursor: String { "pull_other_\(posts[1].id?.uuidString.lowercased() ?? "")" }

        func make() async throws {
            let made = try await rig.run("seed", "make", file)
            #expect(made.status == 0 && made.output.contains("Signed with \(key.prefix(16))"), "\(made)")
        }
    }

    @Test func `is taken once, with road, lists, passages and where to go on, and nothing of its maker's own`()
        async throws
    {
        let maker = try Maker(passages: 3)
        try await maker.make()
        let text = try String(contentsOfFile: maker.file, encoding: .utf8)
        #expect(!text.contains("9999"), "what waits for the server is not in it")
        for secret in ["right-and", "bnp-a@", "password", "token"] { #expect(!text.contains(secret), "\(secret)") }
        var status = stat()
        #expect(stat(maker.file, &status) == 0 && status.st_mode & 0o777 == 0o600)

        let new = try SeedRig("b")
        let unasked = try await new.run("seed", "take", maker.file)
        #expect(unasked.status == 1 && unasked.errors.contains("--key"), "\(unasked.errors)")
        #expect(try new.others().isEmpty)
        let taken = try await new.run("seed", "take", maker.file, "--key", String(maker.key.prefix(16)))
        #expect(taken.status == 0 && taken.output.hasPrefix("Taken: 3 passages (0 were known), 1 listed"), "\(taken)")
        #expect(taken.errors.contains("3 of 3 passages"))
        #expect(try new.others() == ["BA 1 PA 1000", "BA 1 PA 1001", "BA 1 PA 1002"])
        #expect(try new.store.segments.segment(ofCheckpost: "BNP-B")?.segment.maxSpeedKmh == 35)
        #expect(try new.store.exemptPlates.list().map(\.reason) == ["Park"])
        #expect(try new.store.cursors.value(maker.otherCursor) == 4711)
        #expect(try new.store.passages.list().isEmpty && new.store.queue.entries().isEmpty)
        #expect(try new.store.accounts.users().isEmpty && new.store.otherPost.known().knownUpTo == nil)
        let again = try await new.run("seed", "take", maker.file, "--key", maker.key)
        #expect(again.output.hasPrefix("Taken: 0 passages (3 were known)"), "\(again)")
    }

    @Test func `is refused where it was changed, cut off, old, another's, or signed by somebody else`() async throws {
        let maker = try Maker(passages: 3)
        try await maker.make()
        let new = try SeedRig("b")
        let text = try String(contentsOfFile: maker.file, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let changes: [(String, String)] = [
            (text.replacingOccurrences(of: "BA 1 PA 1001", with: "BA 1 PA 1009"), "changed since it was signed"),
            (lines.dropLast().joined(separator: "\n"), "cut off"),
            (lines.prefix(3).joined(separator: "\n") + "\n" + (lines.last ?? ""), "cut off"),
            (text.replacingOccurrences(of: "\"version\":1", with: "\"version\":2"), "form is 2"),
            ("{}", "doesn't begin"),
        ]
        for (changed, why) in changes {
            let file = try new.folder.write(changed, to: "bad.seed").path
            let said = try await new.run("seed", "take", file, "--key", maker.key)
            #expect(said.status == 1 && said.errors.contains(why), "\(why): \(said.errors)")
        }
        let stranger = try await new.run("seed", "take", maker.file, "--key", "0123456789abcdef")
        #expect(stranger.status == 1 && stranger.errors.contains("not with 0123456789abcdef"))
        let own = try await maker.rig.run("seed", "take", maker.file, "--key", maker.key)
        #expect(own.status == 1 && own.errors.contains("it is for BNP-B, and this is BNP-A"), "\(own.errors)")

        let taker = SeedTaker(try new.configuration, store: new.store)
        let later = BoxClock.now + .hours(24 * 15)
        #expect { try taker.check(maker.file, at: later) } throws: { "\($0)".contains("14 days") }
        let other = Segment(id: UUID(), name: "Elsewhere", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
        let posts = maker.posts.map {
            Checkpost(id: UUID(), code: $0.code, name: $0.name, positionIndex: $0.positionIndex)
        }
        try new.store.segments.keep(other, checkposts: posts, at: BoxClock.now)
        #expect { try taker.check(maker.file, at: BoxClock.now) } throws: { "\($0)".contains("another road") }
        #expect(try new.others().isEmpty && new.store.cursors.value(maker.otherCursor) == nil)

        let known = try SeedRig("b")
        try known.store.cursors.set(
            SyncCursor(name: SyncCursor.linkLastSuccess, value: (BoxClock.now + .minutes(1)).milliseconds),
            at: BoxClock.now)
        let needless = try await known.run("seed", "take", maker.file, "--key", maker.key)
        #expect(needless.status == 1 && needless.errors.contains("knows more than the seed"), "\(needless.errors)")
    }

    @Test func `goes on where a killed program left it`() async throws {
        let maker = try Maker(passages: 4000)
        try await maker.make()
        let new = try SeedRig("b")
        let arguments = ["seed", "take", maker.file, "--key", maker.key, "--config", new.configPath]
        var kills = 0
        for _ in 0..<5 {
            let process = try Program.start(arguments)
            let before = try new.others().count
            while process.isRunning, try new.others().count <= before { try await Task.sleep(for: .milliseconds(2)) }
            guard process.isRunning else { break }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            kills += 1
            let count = try new.others().count
            #expect(count > before && count < 4000 && count % 200 == 0, "\(count)")
            #expect(try new.store.cursors.value(maker.otherCursor) == nil, "nothing counts as read yet")
        }
        #expect(kills > 0)
        let rest = try await Program.run(arguments)
        #expect(rest.status == 0, "\(rest)")
        #expect(try new.others().count == 4000 && Set(new.others()).count == 4000)
        #expect(try new.store.cursors.value(maker.otherCursor) == 4711)
    }

    @Test func `takes accounts of the server along for a box of the same post alone`() async throws {
        let maker = try Maker(passages: 1)
        var sita = User(
            name: "sita", fullName: "Sita", role: .ranger, origin: .server, passwordHash: "hash",
            createdAt: BoxClock.now)
        sita.standing = ServerStanding(isOpen: true, askedAt: BoxClock.now)
        try maker.rig.store.accounts.add(sita)
        try maker.rig.store.accounts.add(
            User(
                name: "tek", fullName: "T", role: .technician, origin: .box, passwordHash: "own",
                createdAt: BoxClock.now))
        let refused = try await maker.rig.run("seed", "make", maker.file, "--accounts")
        #expect(refused.status == 1 && refused.errors.contains("those of BNP-A are none of BNP-B"), "\(refused.errors)")
        let made = try await maker.rig.run("seed", "make", maker.file, "--for", "BNP-A", "--accounts")
        #expect(made.status == 0 && made.output.contains("1 account"), "\(made)")
        let spare = try SeedRig("a")
        let taken = try await spare.run("seed", "take", maker.file, "--key", maker.key)
        #expect(taken.status == 0, "\(taken)")
        #expect(try spare.store.accounts.users().map(\.name) == ["sita"])
        #expect(try spare.store.passages.list().isEmpty)
    }

    @Test(.enabled(if: RealPark.isPossible))
    func `leaves only what is newer to the link`() async throws {
        let park = try RealPark()
        let a = try SeedRig("a", park: park)
        for number in 1...4 { try a.record("BA 1 PA 100\(number)", minutesAgo: Double(100 - number)) }
        for _ in 0..<2 { #expect(try await a.run("sync", "--now").status == 0) }
        _ = try a.store.evidence.lookAfterKey(at: BoxClock.now)
        let file = a.folder["b.seed"].path
        let made = try await a.run("seed", "make", file)
        #expect(made.status == 0 && made.output.contains("4 passages") && made.errors.isEmpty, "\(made)")
        try a.record("BA 1 PA 1005", minutesAgo: 1)
        #expect(try await a.run("sync", "--now").status == 0)

        let b = try SeedRig("b", park: park)
        let key = try #require(try a.store.evidence.currentKey())
        let taken = try await b.run("seed", "take", file, "--key", key)
        #expect(taken.status == 0 && taken.output.contains("Only what is newer"), "\(taken)")
        #expect(try b.others().count == 4)
        let synced = try await b.run("sync", "--now")
        #expect(synced.status == 0 && synced.output.hasPrefix("0 sent, 1 fetched"), "\(synced)")
        #expect(try b.others().last == "BA 1 PA 1005")
        #expect(try b.store.otherPost.known().knownUpTo != nil)
        #expect(try park.query("select count(*) from vehicle_passages") == ["5"])
    }

    @Test(.enabled(if: RealPark.isPossible))
    func `is made by the server as well, for a box that has nobody beside it`() async throws {
        let park = try RealPark()
        let a = try SeedRig("a", park: park)
        for number in 1...3 { try a.record("BA 1 PA 100\(number)", minutesAgo: Double(100 - number)) }
        #expect(try await a.run("sync", "--now").status == 0)
        _ = try park.query("select checkpost.list_plate('wanted', 'BA 1 CHA 7777', 'Stolen', null)")
        let b = try SeedRig("b", park: park)
        let file = b.folder["b.seed"].path
        let made = try park.command("box-seed", "BNP-B", file)
        #expect(made.status == 0 && made.output.contains("3 passages"), "\(made)")
        let digits = try #require(made.output.firstMatch(of: /Signed with ([0-9a-f]{16})/)?.output.1)
        #expect(try park.command("box-seed", "BNP-Z", file + ".no").status != 0)

        let taken = try await b.run("seed", "take", file, "--key", String(digits))
        #expect(taken.status == 0 && taken.output.hasPrefix("Taken: 3 passages (0 were known), 1 listed"), "\(taken)")
        #expect(try b.store.segments.segment(ofCheckpost: "BNP-B")?.segment.distanceKm == 45)
        try a.record("BA 1 PA 1004", minutesAgo: 1)
        #expect(try await a.run("sync", "--now").status == 0)
        let synced = try await b.run("sync", "--now")
        #expect(synced.status == 0 && synced.output.hasPrefix("0 sent, 1 fetched"), "\(synced)")
        #expect(try b.others().count == 4)
    }
}
