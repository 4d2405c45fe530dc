import Foundation
import TestKit
import Testing

@testable import Appliance

@Suite("A program of the system that the box runs", .timeLimit(.minutes(3)))
struct BoundedProgramTests {
    private func shell(_ script: String, seconds: Double = 60) -> BoundedProgram.Result {
        BoundedProgram.run("/bin/sh", ["-c", script], seconds: seconds)
    }

    private func lives(_ pid: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !stat.contains(") Z ")
    }

    @Test func `tells what it wrote and how it ended`() {
        let result = shell("echo said; echo wrong >&2; exit 3")
        #expect(result.status == 3)
        #expect(result.output == "said\nwrong\n")
        #expect(BoundedProgram.run("/bin/sh", ["-c", "echo wrong >&2"], seconds: 60, errors: false).output.isEmpty)
        #expect(shell("kill -SEGV $$").status == 128 + SIGSEGV)
    }

    @Test func `that leaves another one behind with its output is over when it ends`() throws {
        let began = ContinuousClock.now
        let result = shell("sleep 50 & echo $!")
        #expect(result.status == 0)
        #expect(ContinuousClock.now - began < .seconds(40))
        let left = try #require(pid_t(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(left, SIGKILL)
    }

    @Test func `that takes too long is ended with all that it started`() async throws {
        let result = shell("sleep 50 & echo $!; wait", seconds: 1)
        #expect(result.status == -1)
        let lines = result.output.split(separator: "\n")
        #expect(lines.last == "It took too long.")
        let started = try #require(lines.first.flatMap { pid_t($0) })
        #expect(try await eventually(20) { !lives(started) })
    }

    @Test func `that never stops writing is ended, and what it wrote is kept within bounds`() {
        let result = BoundedProgram.run("/usr/bin/yes", [], seconds: 1)
        #expect(result.status == -1)
        #expect(result.output.utf8.count <= 4 << 20 + 100)
        #expect(result.output.hasPrefix("y\ny\n"))
    }

    @Test func `has none of the box's files, and leaves none open`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "held")
        // Held on purpose without the flag that closes it in another program.
        let held = open(file.path, O_RDONLY)
        defer { close(held) }
        let seen = shell("ls -l /proc/$$/fd")
        #expect(!seen.output.contains("held"), "\(seen.output)")
        func pipes() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasPrefix("pipe:") == true
            }
        }
        let before = try pipes()
        for _ in 0..<20 { _ = shell("true") }
        // Foundation's way, which the tests go.
        for _ in 0..<20 { _ = try OtherProgram.runAndWait("/bin/true") }
        #expect(try pipes() < before + 10)
    }
}
