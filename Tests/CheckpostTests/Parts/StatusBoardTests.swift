import Enforcement
import Foundation
import MachineClock
import Storage
import Testing

@testable import Synchronizer
@testable import Appliance

@Suite("What status says of the parts", .timeLimit(.minutes(15)))
struct StatusBoardTests {
    private let folder: TemporaryFolder
    private let run: RunFolder

    init() throws {
        folder = try TemporaryFolder()
        run = RunFolder(dataFolder: folder.url.path)
        try run.begin(memory: nil)
    }

    private func supervise(
        _ name: String, _ state: String = "up", upSeconds: Double = 100, alarm: SupervisorNews.Alarm? = nil,
        age: TimeSpan = .seconds(0)
    ) {
        let line = SupervisorNews.Line(
            name: name, state: state, pid: 1, upSeconds: upSeconds, ends: 0, reason: nil, residentBytes: nil,
            alarm: alarm)
        RunFolder.write(
            SupervisorNews(
                pid: 1, version: "", startedAt: BoxClock.now, updatedAt: BoxClock.now,
                uptime: MachineClock.uptime - age,
                parts: [line]), to: run.supervisor)
    }

    private var problems: [StatusReport.Problem]? { StatusBoard.read(folder: folder.url.path)?.problems }

    @Test func `is nothing when every part has news`() {
        supervise("sync")
        PartNews().write(of: .sync, to: run)
        #expect(problems?.isEmpty == true)
    }

    @Test func `is critical when a camera has said nothing for a while, and a warning for the rest`() throws {
        for (part, severity) in [(Part.camera("gate"), "critical"), (.rounds, "critical"), (.console, "warning")] {
            supervise(part.name)
            PartNews(uptime: MachineClock.uptime - .minutes(3)).write(of: part, to: run)
            let problem = try #require(problems?.first)
            #expect(problem.severity == severity)
            #expect(problem.message.contains(part.name) && problem.message.contains("3 min"), "\(problem.message)")
        }
    }

    @Test func `names a synchronization that can't use the database`() throws {
        supervise("sync")
        var state = SyncState(level: .online, lastSuccessAt: BoxClock.now)
        state.storeFailure = "the disk is full"
        PartNews(link: LinkReport(state)).write(of: .sync, to: run)
        let problem = try #require(problems?.first)
        #expect(problem.severity == "warning" && problem.message.contains("the disk is full"))
    }

    @Test func `names a part that never said anything`() {
        supervise("camera.gate")
        #expect(problems?.map(\.severity) == ["critical"])
    }

    @Test func `is not that all is well while a part is being started`() {
        supervise("camera.gate", "starting", upSeconds: 2)
        #expect(problems?.map(\.severity) == ["notice"])
        supervise("camera.gate", "starting", upSeconds: 40)
        #expect(problems?.map(\.severity) == ["critical"])
    }

    @Test func `is critical when the supervisor itself has said nothing`() {
        supervise("sync", age: .minutes(2))
        PartNews().write(of: .sync, to: run)
        #expect(problems?.map(\.severity) == ["critical"])
    }

    @Test func `has the alarm of a part that doesn't stay up`() {
        let alarm = PartAlarm(
            part: .camera("gate"), reason: "it hung", count: 3, pause: .seconds(1), isRepeated: true)
        supervise("camera.gate", "waiting", alarm: SupervisorNews.Alarm(alarm))
        #expect(problems?.map(\.severity) == ["critical"])
        #expect(problems?.first?.message.contains("3 times in a row") == true)
    }

    @Test func `is read through a link when the folder lies in memory, and is a folder again without`() throws {
        let memory = folder["memory"]
        try FileManager.default.createDirectory(at: memory, withIntermediateDirectories: true)
        try Data().write(to: memory.appendingPathComponent("old.json"))
        try run.begin(memory: memory.path)
        supervise("sync")
        PartNews().write(of: .sync, to: run)
        #expect(problems?.isEmpty == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: memory.path).sorted()
        #expect(names == ["supervisor.json", "sync.json"])
        try run.begin(memory: nil)
        #expect(problems == nil, "what an earlier run left is gone")
        supervise("sync")
        #expect(problems != nil)
    }
}

@Suite("What status says of a configuration that can't be read", .timeLimit(.minutes(15)))
struct StatusConfigurationTests {
    @Test func `is that it can't be, and not that there is no server`() async throws {
        let folder = try TemporaryFolder()
        let database = folder["checkpost.sqlite"].path
        try Store(path: database).close()
        let broken = try folder.write(PostFile.text + "\n[server\nurl = 1\n", to: "checkpost.toml").path
        for file in [broken, "/none.toml"] {
            let said = try await Program.run(["status", "--database", database, "--config", file])
            #expect(said.status == 1)
            #expect(said.output.contains("server: unknown"), "\(said.output)")
            #expect(!said.output.contains("no server is configured") && !said.output.contains("All is well"))
            #expect(said.output.contains("passages: 0"), "what can be read is shown all the same")
        }
    }

    @Test func `is what a running box has started with`() async throws {
        let box = try RunningAppliance()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let database = box.folder["data/checkpost.sqlite"].path
        try Data("nonsense".utf8).write(to: box.configuration)
        let said = try await Program.run(["status", "--database", database, "--config", box.configuration.path])
        #expect(said.status == 1 && said.output.contains("at BNP-A"), "\(said.output)")
        #expect(said.output.contains("parts: camera.gate up") && said.output.contains("sync queue:"), "\(said.output)")
        #expect(try await box.stop().status == 0)
    }
}

@Suite("The link as the SMS part knows it", .timeLimit(.minutes(15)))
struct DataLinkNewsTests {
    private final class World: @unchecked Sendable {
        // Used by one test on one thread.
        var news: PartNews?
        var uptime = Instant(seconds: 1000)
        var lastSuccess: Instant?
        var isBroken = false
    }

    private struct Broken: Error {}
    private let world = World()
    private let link: DataLinkNews
    private let now = Instant(seconds: 50_000)

    init() {
        let world = world
        link = DataLinkNews(
            read: { world.news },
            lastSuccess: {
                if world.isBroken { throw Broken() }
                return world.lastSuccess
            }, begunAt: now, uptime: { world.uptime })
    }

    private func tell(offlineSince: Instant? = nil, hasCycled: Bool = true) {
        var state = SyncState(level: .online, lastSuccessAt: now)
        state.offlineSince = offlineSince
        state.lastCycleAt = hasCycled ? now : nil
        world.news = PartNews(link: LinkReport(state), uptime: world.uptime)
    }

    @Test func `is what the synchronization says while it says it`() {
        #expect(link.sight(at: now) == .unknown)
        tell(hasCycled: false)
        #expect(link.sight(at: now) == .unknown, "an old answer may only mean that the box was off")
        tell()
        #expect(link.sight(at: now) == .online)
        tell(offlineSince: now - .minutes(1))
        #expect(link.sight(at: now) == .offline(since: now - .minutes(1)))
    }

    @Test func `counts as down since the last success on the disk when the synchronization is dead`() {
        tell()
        #expect(link.sight(at: now) == .online)
        world.lastSuccess = now - .seconds(7)
        world.uptime = world.uptime + .seconds(100)
        #expect(link.sight(at: now) == .online, "it may be coming back")
        world.uptime = world.uptime + .seconds(30)
        #expect(link.sight(at: now) == .offline(since: now - .seconds(7)))
        tell()
        #expect(link.sight(at: now) == .online)
    }

    @Test func `counts as down when the synchronization never gets through a cycle`() {
        for _ in 0..<13 {
            tell(hasCycled: false)
            _ = link.sight(at: now)
            world.uptime = world.uptime + .seconds(10)
        }
        #expect(link.sight(at: now) == .offline(since: now), "there never was a success: since it began")
    }

    @Test func `doesn't change on a guess when the database can't be read`() {
        tell()
        _ = link.sight(at: now)
        world.isBroken = true
        world.uptime = world.uptime + .minutes(10)
        #expect(link.sight(at: now) == .online)
    }
}
