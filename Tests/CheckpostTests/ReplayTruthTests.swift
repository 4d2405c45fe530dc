import Foundation
import TestKit
import Testing

@Suite("A replay with a table of the vehicles that passed", .timeLimit(.minutes(5)))
struct ReplayTruthTests {
    private let folder: TemporaryFolder
    private let frames = Checkout.samples.appendingPathComponent("mixed")

    init() throws { folder = try TemporaryFolder() }

    private func replay(_ table: String, _ more: String...) async throws -> Program.Result {
        let path = try folder.write(table, to: "vehicles.csv").path
        let few = folder["frames"]
        try? FileManager.default.createDirectory(at: few, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: frames.path)
        where name.hasPrefix("20261121T0415") || name.hasPrefix("20261121T0423") {
            try? FileManager.default.copyItem(
                at: frames.appendingPathComponent(name), to: few.appendingPathComponent(name))
        }
        return try await Program.run(["replay", few.path, "--country", "np", "--truth", path] + more)
    }

    @Test func `says in words which vehicle went wrong, and what was recorded where none passed`() async throws {
        // The first one had another plate, the second never passed, and of the one that did pass nobody wrote.
        let result = try await replay(
            """
            plate,first_frame,last_frame
            को४१प६०५९,20261121T041530.250Z.jpg,20261121T041532.242Z.jpg
            बा२ज३४७५,2026-11-21T04:17:30Z,2026-11-21T04:17:32Z

            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Of 2 vehicles 0 recorded right"), "\(result.output)")
        #expect(result.output.contains("1 missed"))
        #expect(
            result.output.contains("recorded, and no vehicle passed")
                || result.output.contains("for a ranger, and no vehicle passed"), "\(result.output)")
    }

    @Test(arguments: [
        ("plate,first_frame\nBA1PA1234,20261121T041530Z.jpg\n", "no column \"last_frame\""),
        ("plate,first_frame,last_frame\nBA1PA1234,frame1.jpg,frame2.jpg\n", "vehicle 1: \"frame1.jpg\" says no time"),
        (
            "plate,first_frame,last_frame\nBA1PA1234,20261121T041532Z.jpg,20261121T041530Z.jpg\n",
            "vehicle 1: its last frame is before its first"
        ),
    ])
    func `names the row of a table that can't be right, before anything is read`(
        _ table: String, _ words: String
    ) async throws {
        let result = try await replay(table)
        #expect(result.status != 0 && result.output.isEmpty, "\(result.output)")
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test func `takes no options of single pictures`() async throws {
        let result = try await replay(
            "plate,first_frame,last_frame\nBA1PA1234,20261121T041530Z.jpg,20261121T041532Z.jpg\n", "--by-box")
        #expect(result.status != 0 && result.errors.contains("a table of single pictures"), "\(result.errors)")
    }
}
