import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("The commands for what goes once more", .timeLimit(.minutes(15)))
struct AgainCommandTests {
    /// A box of BNP-A whose server is out of reach, with an entry that is past its time and a later passage of the other post.
    private struct Rig {
        let folder: TemporaryFolder
        let store: Store
        let now = BoxClock.now

        init() throws {
            folder = try TemporaryFolder()
            let server = """
                [server]
                url = "http://127.0.0.1:9"
                anon_key = "k"
                email = "bnp-a@bnp.local"
                password_file = "password"

                """
            _ = try folder.write(PostFile.text + server, to: "checkpost.toml")
            _ = try folder.write("secret\n", to: "password")
            try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
            store = try Store(path: folder["data/checkpost.sqlite"].path)
            try store.passages.record(
                Passage(
                    clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "x", vehicleType: .car,
                    checkpostCode: "BNP-A", recordedAt: now - .hours(6), clockState: .synchronised, origin: .camera),
                at: now - .hours(6))
            try store.otherPost.upsert(
                [
                    MatchablePassage(
                        clientID: UUID(), serverID: UUID(), plate: Plate(canonical: "BA 2 PA 2222"), vehicleType: .car,
                        checkpostCode: "BNP-B", recordedAt: now - .minutes(1), clockState: .synchronised)
                ], at: now)
            try store.otherPost.learn(knownUpTo: now, at: now)
        }

        func sync(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(["sync"] + arguments + ["--config", folder["checkpost.toml"].path])
        }

        func others() throws -> Int { try store.fetched.counts().passages }
    }

    @Test func `say what they will do, do nothing unasked, and raise no alert by what is missing`() async throws {
        let rig = try Rig()
        let unasked = try await rig.sync("reset", "passages")
        #expect(unasked.status == 1 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        #expect(unasked.errors.contains("matching looks: 1; kept") && unasked.errors.contains("1 waiting"))
        #expect(unasked.errors.contains("no overstay alert"), "\(unasked.errors)")
        #expect(try rig.others() == 1)

        let done = try await rig.sync("reset", "passages", "--yes")
        #expect(done.status == 0 && done.output.hasPrefix("Done"), "\(done)")
        #expect(try rig.others() == 0 && rig.store.otherPost.known().knownUpTo == nil)
        #expect(try rig.store.queue.counts()[.pending] == 1 && rig.store.passages.list().count == 1)
        var configuration = Configuration.pilot
        configuration.dataFolder = rig.folder["data"].path
        let matching = MatchingService(store: rig.store, configuration: configuration)
        #expect(try matching.overstayRound(at: rig.now).isEmpty)
        // With the other post known it is one: the reset alone keeps it off.
        try rig.store.otherPost.learn(knownUpTo: rig.now, at: rig.now)
        #expect(try matching.overstayRound(at: rig.now).count == 1)
    }

    @Test func `raise no alert that was looked for before something was forgotten`() throws {
        let rig = try Rig()
        let entry = try #require(try rig.store.passages.list().first?.passage)
        let alert = OverstayAlert(
            entryClientID: entry.clientID, plate: entry.plate, vehicleType: .car, entryTime: entry.recordedAt,
            expectedExitBy: entry.recordedAt + .hours(4.5), isDoubtful: false)
        try rig.store.fetched.beginAnew([], otherPostToo: true)
        #expect(try rig.store.alerts.raise([alert], onlyWhileKnown: true, at: rig.now).isEmpty)
        try rig.store.otherPost.learn(knownUpTo: entry.recordedAt + .hours(4), at: rig.now)
        #expect(try rig.store.alerts.raise([alert], onlyWhileKnown: true, at: rig.now).isEmpty)
        try rig.store.otherPost.learn(knownUpTo: rig.now, at: rig.now)
        #expect(try rig.store.alerts.raise([alert], onlyWhileKnown: true, at: rig.now).count == 1)
    }

    @Test func `leave it to the appliance while one runs, and say that it is on record`() async throws {
        let rig = try Rig()
        let lock = try RunLock(folder: rig.folder["data"].path)
        var configuration = Configuration.pilot
        configuration.dataFolder = rig.folder["data"].path
        let outcome = try await FetchedAnew(configuration, store: rig.store).run([.passages], timeoutSeconds: 1)
        withExtendedLifetime(lock) {}
        #expect(try outcome == .asked && rig.others() == 1 && rig.store.fetched.wishes() == [.passages])
        #expect(SyncRequestFile.isThere(folder: configuration.dataFolder))
    }

    @Test func `take days, show how far they are, and refuse too many`() async throws {
        let rig = try Rig()
        let many = try await rig.sync("send", "--from", "2026-01-01", "--to", "2026-06-30", "--yes")
        #expect(many.status == 1 && many.errors.contains("92 days"), "\(many.errors)")
        #expect(try await rig.sync("fetch", "--yes").status == 2)
        let fetch = try await rig.sync("fetch", "--from", "2026-11-20", "--to", "2026-11-22", "--yes", "--timeout", "2")
        #expect(fetch.status == 1 && fetch.errors.contains("Not all is done yet"), "\(fetch.errors)")
        let shown = try await rig.sync()
        #expect(shown.output.contains("fetching 2026-11-20 to 2026-11-22 once more"), "\(shown)")
        #expect(try await rig.sync("reset").status == 2)
    }
}
