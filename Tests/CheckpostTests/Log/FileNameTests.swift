import Foundation
import Testing

@testable import Appliance

/// The real program, whose camera's folder holds what no camera puts there.
@Suite("Names and kinds of files in a watched folder", .timeLimit(.minutes(15)), .serialized)
struct FileNameTests {
    @Test func `reach log and status in harmless characters, and what can't be read is no camera`() async throws {
        let box = try RunningAppliance()
        let evil = "a.png\n2026-11-22T00:00:00+0000 critical forged\u{1B}[31m\u{202E}gpj.jpg"
        try Data("no picture".utf8).write(to: box.folder["incoming"].appendingPathComponent(evil))
        try Data("RIFF".utf8).write(to: box.folder["incoming/b.webp"])
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        #expect(try await box.eventually { try !box.opened().frames.unreadable().isEmpty }, "\(box.log)")
        #expect(try await box.eventually { try box.opened().alarms.list().contains { $0.key == "folder.gate" } })
        let run = RunFolder(dataFolder: box.folder["data"].path)
        #expect(
            try await box.eventually { PartNews.read(of: .camera("gate"), in: run)?.camera?.phase == "unreadable" })
        let status = try await Program.run(["status", "--config", box.configuration.path])
        #expect(status.output.contains("camera gate: unreadable"), "\(status.output)")
        #expect(status.output.contains("not looked at: .webp (such as b.webp)"), "\(status.output)")
        let shown = #"a.png\u{A}2026-11-22T00:00:00+0000 critical forged\u{1B}[31m\u{202E}gpj.jpg"#
        for text in [box.log, status.output] {
            #expect(text.contains(shown), "\(text)")
            #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("2026-11-22T00:00:00") })
        }
        try box.arrive(try #require(try RunningAppliance.frames().first))
        #expect(
            try await box.eventually { PartNews.read(of: .camera("gate"), in: run)?.camera?.phase == "connected" })
        #expect(try await box.stop().status == 0)
    }
}
