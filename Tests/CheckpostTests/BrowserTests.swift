import Foundation
import Testing

/// A ranger's day and a hostile night in a real Chromium, in `Browser/day.py` and `Browser/night.py`: each says what it did, and fails with
/// what went wrong.
@Suite("The console in a browser", .serialized, .timeLimit(.minutes(15)))
struct BrowserTests {
    /// What `Browser/run` ends with when there is no browser, or nothing to drive it with.
    private static let isMissing: Int32 = 77

    @Test func `lets a ranger through a day without a server`() async throws {
        try await Self.play("day", endingWith: "every screen passes")
    }

    @Test func `loses, doubles and decides nothing in a hostile night`() async throws {
        try await Self.play("night", endingWith: "the night is over")
    }

    private static func play(_ part: String, endingWith end: String) async throws {
        let script = Checkout.root.appendingPathComponent("Tests/CheckpostTests/Browser/run")
        let (status, output) = try await run(script, [part, Checkout.program.path])
        guard status != isMissing else {
            print("Skipped: there is no chromium, or playwright can't be installed. deploy/test installs both.")
            return
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains(end))
    }

    private static func run(_ script: URL, _ arguments: [String]) async throws -> (Int32, String) {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = script
                        process.arguments = arguments
                        let pipe = Pipe()
                        process.standardOutput = pipe
                        process.standardError = pipe
                        process.standardInput = FileHandle.nullDevice
                        try process.run()
                        // A browser that hangs is ended; the script stops its box when it is told to.
                        let limit = DispatchWorkItem { [weak process] in process?.terminate() }
                        DispatchQueue.global().asyncAfter(deadline: .now() + 800, execute: limit)
                        let output = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        limit.cancel()
                        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
                    })
            }
        }
    }
}
