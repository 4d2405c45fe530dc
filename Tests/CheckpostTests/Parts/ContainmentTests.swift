import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

/// The real program, whose parts fail on purpose while pictures keep coming: see `PartFault`.
@Suite("Recording while parts fail", .serialized, .timeLimit(.minutes(15)))
struct ContainmentTests {
    /// What the alarm says of it.
    private static let words = ["trap": "a fault in the program", "hang": "it hung", "memory": "MB of memory"]

    @Test(arguments: ["trap", "hang", "memory"], ["start", "work"])
    func `goes on within 5 s a picture when every other part fails for ever`(_ kind: String, _ moment: String)
        async throws
    {
        let box = try RunningAppliance()
        let faults = RunningAppliance.otherParts.map { "\($0)=\(kind)@\(moment)" }.joined(separator: ",")
        try box.start(fault: faults + ";patience=3;memory=250")
        #expect(try await box.isRecording(), "\(box.log)")
        let camera = box.part("camera.gate")?.pid
        for (index, frame) in try RunningAppliance.frames().prefix(8).enumerated() {
            let began = ContinuousClock.now
            try box.arrive(frame)
            #expect(try await box.eventually(30) { box.takenCount() > index }, "\(box.log)")
            #expect(ContinuousClock.now - began < .seconds(5), "picture \(index)")
        }
        let words = try #require(Self.words[kind])
        for name in RunningAppliance.otherParts {
            #expect(
                try await box.eventually { box.part(name)?.alarm?.message.contains(words) == true },
                "\(name): \(String(describing: box.part(name)))")
            #expect(box.part(name)?.alarm?.message.contains("The part \(name)") == true)
        }
        // The vehicle of those pictures has left.
        #expect(try await box.eventually { try box.opened().figures.now().passages == 1 })
        #expect(box.part("camera.gate")?.pid == camera, "the camera's part was never touched")
        #expect(box.part("camera.gate")?.ends == 0)
        let status = try await Program.run(["status", "--config", box.configuration.path])
        #expect(!status.output.contains("All is well"))
        for name in RunningAppliance.otherParts {
            #expect(status.output.contains("The part \(name)"), "\(status.output)")
        }
        let stopped = try await box.stop()
        #expect(stopped.status == 0)
        #expect(stopped.seconds < 5.5, "5 s, and the half second of a busy machine")
        #expect(stopped.left == [])
    }

    @Test(arguments: ["trap", "hang", "memory"], ["start", "work"])
    func `goes on within 5 s a picture at one camera when the other one fails for ever`(
        _ kind: String, _ moment: String
    ) async throws {
        let lane = try TemporaryFolder()
        let frames = try RunningAppliance.frames().prefix(8)
        for frame in frames {
            try FileManager.default.copyItem(at: frame, to: lane[frame.lastPathComponent])
        }
        let box = try RunningAppliance(lane: lane[""])
        try box.start(fault: "camera.lane=\(kind)@\(moment);patience=3;memory=250")
        #expect(try await box.isRecording(), "\(box.log)")
        let camera = box.part("camera.gate")?.pid
        for (index, frame) in frames.enumerated() {
            let began = ContinuousClock.now
            try box.arrive(frame)
            #expect(try await box.eventually(30) { box.takenCount() > index }, "\(box.log)")
            #expect(ContinuousClock.now - began < .seconds(5), "picture \(index)")
        }
        let words = try #require(Self.words[kind])
        #expect(
            try await box.eventually { box.part("camera.lane")?.alarm?.message.contains(words) == true },
            "\(String(describing: box.part("camera.lane")))")
        #expect(try await box.eventually { try box.opened().figures.now().passages > 0 })
        #expect(box.part("camera.gate")?.pid == camera, "the other camera's part was never touched")
        #expect(box.part("camera.gate")?.ends == 0)
        let status = try await Program.run(["status", "--config", box.configuration.path])
        #expect(status.output.contains("The part camera.lane") && !status.output.contains("All is well"))
        let stopped = try await box.stop()
        #expect(stopped.status == 0 && stopped.left == [])
    }

    @Test(arguments: ["trap", "hang", "memory"], ["start", "work"])
    func `comes back by itself when the camera's own part fails, and loses no picture of a folder`(
        _ kind: String, _ moment: String
    ) async throws {
        let box = try RunningAppliance()
        try box.start(fault: "camera.gate=\(kind)@\(moment)*1;patience=8;memory=400")
        for frame in try RunningAppliance.frames().prefix(8) { try box.arrive(frame) }
        #expect(try await box.eventually { box.takenCount() == 8 }, "\(box.log)")
        #expect(try await box.eventually { try box.opened().figures.now().passages == 1 })
        #expect(try box.opened().frames.unreadable().isEmpty, "once may be chance: the picture was looked at again")
        let alarm = try #require(box.part("camera.gate")?.alarm)
        let words = try #require(Self.words[kind])
        #expect(alarm.message.contains("The part camera.gate") && alarm.message.contains(words))
        #expect(try await box.eventually { try box.opened().alarms.list().contains { $0.key == "part.camera.gate" } })
        let stopped = try await box.stop()
        #expect(stopped.status == 0 && stopped.left == [])
    }

    @Test func `lets a part go on that was stopped, long before it counts as hung`() async throws {
        let box = try RunningAppliance()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let camera = try #require(box.part("camera.gate")?.pid)
        for (index, frame) in try RunningAppliance.frames().prefix(4).enumerated() {
            kill(camera, SIGSTOP)
            try box.arrive(frame)
            #expect(try await box.eventually(20) { box.takenCount() > index }, "\(box.log)")
        }
        #expect(box.part("camera.gate")?.pid == camera && box.part("camera.gate")?.ends == 0)
        #expect(box.log.contains("a part was stopped by a signal; it goes on"))
        #expect(try await box.stop().status == 0)
    }

    @Test func `ends a camera's part that no longer looks into its folder, and says so`() async throws {
        let box = try RunningAppliance()
        try box.start(fault: "camera.gate=hang@look*1;patience=3")
        for frame in try RunningAppliance.frames().prefix(8) { try box.arrive(frame) }
        #expect(try await box.eventually { box.takenCount() == 8 }, "\(box.log)")
        #expect(box.part("camera.gate")?.alarm?.message.contains("it hung") == true)
        #expect(try await box.stop().status == 0)
    }

    @Test func `sets a picture aside over which the camera's part ended twice, and goes on with the next`() async throws
    {
        let box = try RunningAppliance()
        try box.start(fault: "camera.gate=trap@work*2")
        let frames = try RunningAppliance.frames().prefix(3)
        for frame in frames { try box.arrive(frame) }
        #expect(try await box.eventually { box.takenCount() == 3 }, "\(box.log)")
        let unreadable = try box.opened().frames.unreadable()
        #expect(unreadable.map(\.file) == [try #require(frames.first).lastPathComponent])
        #expect(unreadable.first?.reason.contains("stopped working over it 2 times") == true)
        #expect(try await box.stop().status == 0)
    }

    @Test func `keeps the last words of a part, for the log and for the technician's page`() async throws {
        let box = try RunningAppliance()
        try box.start(fault: "sync=trap@start*1")
        #expect(try await box.eventually { box.part("sync")?.ends == 1 && box.part("sync")?.state == "up" })
        let lines = LogRing.lines(RunFolder(dataFolder: box.folder["data"].path))
        #expect(lines.contains { $0.contains("Fatal error") && $0.contains("a fault was asked for") }, "\(lines)")
        #expect(box.log.contains("a fault was asked for"))
        #expect(try await box.stop().status == 0)
    }

    @Test func `leaves no part behind when the supervisor is killed, and can start again at once`() async throws {
        let box = try RunningAppliance()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let parts = box.children()
        #expect(parts.count == 5)
        box.killSupervisor()
        try box.start()
        #expect(try await box.eventually(5) { parts.allSatisfy { kill($0, 0) != 0 } })
        #expect(try await box.eventually { box.part("camera.gate")?.state == "up" && box.news?.pid == box.pid })
        let stopped = try await box.stop()
        #expect(stopped.status == 0 && stopped.left == [])
    }

    @Test func `gives the parts no descriptor that they don't need, and to the system before the camera`() async throws
    {
        let box = try RunningAppliance()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        #expect(try await box.eventually { box.part("sync")?.state == "up" })
        let sync = try #require(box.part("sync")?.pid)
        let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(sync)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(sync)/fd/\($0)")
        }
        #expect(!held.contains { $0.hasSuffix("/run.lock") }, "\(held)")
        func score(_ pid: pid_t) throws -> Int? {
            Int(try String(contentsOfFile: "/proc/\(pid)/oom_score_adj", encoding: .utf8).filter(\.isNumber))
        }
        let camera = try #require(box.part("camera.gate")?.pid)
        let scores = (sync: try score(sync) ?? 0, camera: try score(camera) ?? 0)
        #expect(scores.sync > scores.camera)
        let alone = try await Program.run(["run", "--part", "sync", "--config", box.configuration.path])
        #expect(alone.status == 2, "a part is started by its supervisor alone")
        #expect(try await box.stop().status == 0)
    }

    @Test func `has no alarm of an earlier run that says nothing any more`() async throws {
        let box = try RunningAppliance()
        try FileManager.default.createDirectory(at: box.folder["data"], withIntermediateDirectories: true)
        let stale = [
            "camera.old", "recording.gate", "photos.gate", "pictures.gate", "folder.gate", "clock.step",
            "recording.lost.gate",
        ]
        for key in stale + ["kept"] {
            try box.opened().alarms.raise(key, .critical, "of an earlier run", at: BoxClock.now - .hours(25))
        }
        try box.start()
        func left() throws -> Set<String> {
            Set(try box.opened().alarms.list().filter { $0.message == "of an earlier run" }.map(\.key))
        }
        #expect(try await box.eventually { try left() == ["kept"] }, "\(box.log)")
        #expect(try await box.stop().left.isEmpty)
    }
}
