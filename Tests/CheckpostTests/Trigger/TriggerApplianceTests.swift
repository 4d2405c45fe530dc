import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// The real program at a pseudo-terminal, with the real simulator at its other end.
@Suite("A trigger at a running appliance", .serialized, .timeLimit(.minutes(15)))
struct TriggerApplianceTests {
    /// - Parameter lines: of `[trigger]`.
    private func box(_ lines: String = "", device: String? = nil) throws -> (box: RunningAppliance, link: String) {
        let links = FileManager.default.temporaryDirectory.appending(path: "loop-\(UUID().uuidString)").path
        var outside = RunningAppliance.Outside()
        outside.more = "[trigger]\ndevice = \"\(device ?? links)\"\nwindow_seconds = 4\n\(lines)"
        return (try RunningAppliance(outside: outside), links)
    }

    private func status(_ box: RunningAppliance) async throws -> [String: Any] {
        let result = try await Program.run(["status", "--json", "--config", box.configuration.path])
        try SchemaTests.hold(result.output, to: "status", errors: result.errors)
        return result.objects.first?["trigger"] as? [String: Any] ?? [:]
    }

    private func report(_ box: RunningAppliance) -> TriggerReport? {
        PartNews.read(of: .trigger, in: RunFolder(dataFolder: box.folder["data"].path))?.trigger
    }

    private func simulate(_ link: String, _ more: [String]) async throws -> Program.Result {
        try await Program.run(["trigger", "simulate", link] + more)
    }

    @Test func `is heard over a bad line, told when it is gone, and found again`() async throws {
        let (box, link) = try box()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        #expect(try await box.eventually { try box.opened().alarms.list().contains { $0.key == "trigger.port" } })
        let first = try await simulate(link, ["--every", "0.3", "--vehicles", "5", "--speed", "43.2", "--noise"])
        #expect(first.status == 0 && first.output.contains("vehicle 5 at 43.2 km/h"), "\(first.errors)")
        #expect(try await box.eventually { report(box)?.counts.events == 5 }, "\(box.log)")
        let kept = try box.opened().trigger.last()
        #expect(kept.map(\.number).sorted() == [1, 2, 3, 4, 5] && Set(kept.map(\.boot)).count == 1)
        // The simulator is gone, and its terminal with it.
        #expect(try await box.eventually { report(box)?.state == .closed }, "\(String(describing: report(box)))")
        #expect(try await box.eventually { try box.opened().alarms.list().contains { $0.key == "trigger.port" } })
        let second = try await simulate(link, ["--every", "0.3", "--vehicles", "2"])
        #expect(second.status == 0)
        #expect(try await box.eventually { report(box)?.counts.events == 7 }, "\(box.log)")
        let told = try await status(box)
        #expect(told["events"] as? Int == 7 && told["lost"] as? Int == 0 && told["vehicles_today"] as? Int == 7)
        #expect(told["damaged"] as? Int ?? 0 > 0 && told["last_frame_at"] != nil, "\(told)")
        let text = try await Program.run(["status", "--config", box.configuration.path]).output
        #expect(text.contains("loop or radar: ") && text.contains("7 vehicles"))
        let metrics = try await Program.run(["self-test", "--only", "trigger", "--config", box.configuration.path])
        #expect(metrics.status == 1 && metrics.output.contains("trigger"), "\(metrics.output)")
        #expect(box.part("trigger")?.ends == 0)
        let stopped = try await box.stop()
        #expect(stopped.status == 0 && stopped.left == [])
    }

    @Test func `counts vehicles without a plate, none with one, and gives its passage a speed`() async throws {
        let (box, link) = try box("camera = \"gate\"")
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        // Two vehicles that no camera sees.
        #expect(try await simulate(link, ["--every", "0.2", "--vehicles", "2", "--speed", "20"]).status == 0)
        // So long that they are not taken for the one that is seen: the window is 4 s.
        try await Task.sleep(for: .seconds(10))
        for (index, frame) in try RunningAppliance.frames().prefix(8).enumerated() {
            try box.arrive(try Data(contentsOf: frame), at: BoxClock.now + .milliseconds(Int64(index * 100)))
        }
        #expect(try await simulate(link, ["--every", "1", "--vehicles", "1", "--speed", "43.2"]).status == 0)
        #expect(try await box.eventually(120) { try box.opened().figures.now().passages == 1 }, "\(box.log)")
        #expect(
            try await box.eventually(120) { try box.opened().passages.list().first?.speedAtPostKmh == 43.2 },
            "\(box.log)")
        #expect(
            try await box.eventually(60) {
                let day = BoxClock.now
                return try box.opened().trigger.counts(from: day - .hours(1), until: day + .hours(1))
                    == TriggerSpan(events: 3, withoutPlate: 2)
            })
        let told = try await status(box)
        #expect(told["camera"] as? String == "gate" && told["without_plate_today"] as? Int == 2, "\(told)")
        let export = try await Program.run(["export", "--format", "csv", "--config", box.configuration.path])
        #expect(export.output.contains("speed_at_post_kmh") && export.output.contains(",43.2"), "\(export.output)")
        let list = try await Program.run(["passages", "list", "--json", "--config", box.configuration.path])
        try SchemaTests.hold(list.output, to: "passages list")
        #expect(list.objects.first?["speed_at_post_kmh"] as? Double == 43.2)
        let figures = try box.opened().figures.now()
        #expect(figures.passages == 1)
        #expect(try box.opened().violations.list().isEmpty, "a speed is no violation")
        _ = try await box.stop()
    }

    @Test(arguments: ["trap", "hang"])
    func `keeps no camera from recording when its part fails for ever`(_ kind: String) async throws {
        let (box, _) = try box()
        try box.start(fault: "trigger=\(kind)@work;patience=3")
        #expect(try await box.isRecording(), "\(box.log)")
        let camera = box.part("camera.gate")?.pid
        for (index, frame) in try RunningAppliance.frames().prefix(6).enumerated() {
            try box.arrive(frame)
            #expect(try await box.eventually(30) { box.takenCount() > index }, "\(box.log)")
        }
        #expect(try await box.eventually { box.part("trigger")?.alarm != nil })
        #expect(box.part("camera.gate")?.pid == camera && box.part("camera.gate")?.ends == 0)
        #expect(try await box.stop().left == [])
    }

    @Test func `that floods the line and takes no answer keeps nothing from its work`() async throws {
        let terminal = try PseudoTerminal()
        let (box, _) = try box(device: terminal.path)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let flood = Thread {
            var number: UInt16 = 0
            while !Thread.current.isCancelled {
                number &+= 1
                let frame = TriggerFrame.event(
                    .init(boot: 1, number: number), overflow: 0, ageMilliseconds: 0, lane: 0, direction: nil,
                    speedTenths: nil)
                let bytes = [UInt8](repeating: 0x55, count: 40) + frame.bytes
                _ = write(terminal.master, bytes, bytes.count)
            }
        }
        flood.start()
        for (index, frame) in try RunningAppliance.frames().prefix(6).enumerated() {
            try box.arrive(frame)
            #expect(try await box.eventually(60) { box.takenCount() > index }, "\(box.log)")
        }
        #expect(try await box.eventually { report(box)?.counts.flooded ?? 0 > 0 }, "\(String(describing: report(box)))")
        #expect(try await box.eventually(90) { try box.opened().alarms.list().contains { $0.key == "trigger.flood" } })
        flood.cancel()
        #expect(box.part("trigger")?.ends == 0 && box.part("camera.gate")?.ends == 0)
        #expect(try await box.stop().left == [])
        close(terminal.master)
    }

    @Test func `is told when the device says nothing, and is over when it speaks`() async throws {
        let terminal = try PseudoTerminal()
        defer { close(terminal.master) }
        let (box, _) = try box("silent_after_seconds = 1", device: terminal.path)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        func alarm() throws -> Alarm? { try box.opened().alarms.list().first { $0.key == "trigger.silent" } }
        #expect(try await box.eventually { try alarm() != nil }, "\(box.log)")
        #expect(try alarm()?.message.contains("has said nothing for 1 s") == true)
        #expect(try alarm()?.hint?.contains("checkpost trigger test") == true)
        #expect(try await box.eventually { report(box)?.state == .silent })
        let frame = TriggerFrame.heartbeat(.init(boot: 1, number: 0), overflow: 0).bytes
        // It is silent again a second later: what is looked for is that it was over.
        #expect(
            try await box.eventually {
                _ = write(terminal.master, frame, frame.count)
                return try alarm() == nil && report(box)?.state == .connected
            }, "\(box.log)")
        _ = try await box.stop()
    }

    @Test func `can be tried by a technician, before and while the box runs`() async throws {
        let (box, link) = try box()
        let missing = try await Program.run(["trigger", "test", "--config", box.configuration.path])
        #expect(missing.status == 1 && missing.errors.contains("is not there"), "\(missing.errors)")
        let simulator = try Program.start(["trigger", "simulate", link, "--every", "0.5", "--speed", "43.2"])
        defer { kill(simulator.processIdentifier, SIGKILL) }
        #expect(try await box.eventually { FileManager.default.fileExists(atPath: link) })
        let heard = try await Program.run(["trigger", "test", "--seconds", "3", "--config", box.configuration.path])
        #expect(heard.status == 0 && heard.output.contains("43.2 km/h"), "\(heard.output) \(heard.errors)")
        #expect(heard.output.contains("lane 1, forward"))
        try box.start()
        #expect(try await box.eventually { report(box)?.state == .connected }, "\(box.log)")
        let running = try await Program.run(["trigger", "test", "--config", box.configuration.path])
        #expect(running.status == 0 && running.output.contains("The appliance runs"), "\(running.output)")
        let tried = try await Program.run(["self-test", "--only", "trigger", "--config", box.configuration.path])
        #expect(tried.status == 0, "\(tried.output)")
        // What it had said while only a test listened, it said again.
        #expect(try await box.eventually { try box.opened().trigger.last().contains { $0.number == 1 } })
        _ = try await box.stop()
    }
}
