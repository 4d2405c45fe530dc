import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("The commands for what the server refuses", .timeLimit(.minutes(15)))
struct QueueCommandTests {
    /// A box with one passage, which the server refused, and the command `queue` there.
    private struct Rig {
        let folder: TemporaryFolder
        let store: Store
        let passage: Passage
        var id: Int64 { get throws { try #require(try store.queue.entries().first?.id) } }

        init(post: String = "BNP-A") throws {
            folder = try TemporaryFolder()
            _ = try folder.write(PostFile.text, to: "checkpost.toml")
            try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
            store = try Store(path: folder["data/checkpost.sqlite"].path)
            passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "x", vehicleType: .car,
                checkpostCode: post, recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera)
            try store.passages.record(passage, at: BoxClock.now)
            try refuse()
        }

        func refuse() throws {
            var entry = try #require(try store.queue.entries().first)
            (entry.status, entry.isRefused, entry.lastError) = (.failed, true, "the server doesn't know the post")
            try store.queue.update([entry])
        }

        func queue(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(["queue"] + arguments + ["--config", folder["checkpost.toml"].path])
        }
    }

    @Test func `put a passage away only when that is meant, and send it after all`() async throws {
        let rig = try Rig()
        let id = String(try rig.id)
        let refused = try await rig.queue("discard", id, "--yes")
        #expect(refused.status == 1 && refused.errors.contains("--passages"), "\(refused.errors)")
        let unasked = try await rig.queue("discard", id, "--passages")
        #expect(unasked.status == 1 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        #expect(try rig.store.queue.setAsideCount() == 0)

        #expect(try await rig.queue("discard", id, "--passages", "--yes").output == "\(id) is put away.\n")
        #expect(try await rig.queue("discard", id, "--passages", "--yes").output == "\(id) was put away before.\n")
        #expect(try await rig.queue().output.contains("BA 1 PA 1234") == false)
        let listed = try await rig.queue("--failed").output
        #expect(listed.contains("BA 1 PA 1234") && listed.contains("the server doesn't know the post"), "\(listed)")
        #expect(try rig.store.passages.passage(clientID: rig.passage.clientID) != nil, "it stays on record")
        // Not with the others: it was put away on purpose.
        #expect(try await rig.queue("retry", "--failed").output == "Nothing failed: nothing is to be sent again.\n")
        #expect(try await rig.queue("retry", id).output == "1 entry is back in line.\n")
        #expect(try await rig.queue().output.contains("BA 1 PA 1234"))
        let waiting = try await rig.queue("discard", id, "--passages", "--yes")
        #expect(waiting.status == 1 && waiting.errors.contains("pending"), "\(waiting.errors)")
        let unknown = try await rig.queue("discard", "999", "--yes")
        #expect(unknown.status == 1 && unknown.errors.contains("There is no queue entry 999"))
    }

    @Test func `give a passage that was recorded under a wrong code this post's`() async throws {
        let rig = try Rig(post: "BNP-X")
        let id = String(try rig.id)
        #expect(try await rig.queue("retry", id).status == 0)
        #expect(try rig.store.passages.passage(clientID: rig.passage.clientID)?.passage.checkpostCode == "BNP-X")
        // It waits, and did not fail: its code is not for changing.
        let waiting = try await rig.queue("retry", id, "--recorded-here")
        #expect(waiting.status != 0 && waiting.errors.contains("no passage that failed"), "\(waiting.errors)")
        try rig.refuse()
        #expect(try await rig.queue("retry", id, "--recorded-here").output == "1 entry is back in line.\n")
        #expect(try rig.store.passages.passage(clientID: rig.passage.clientID)?.passage.checkpostCode == "BNP-A")
        #expect(try rig.store.queue.entries().map(\.status) == [.pending])
        #expect(try await rig.queue("retry", "--failed", "--recorded-here").status == 2)
    }
}
