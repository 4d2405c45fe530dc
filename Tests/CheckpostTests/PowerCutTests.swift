import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("A power cut", .serialized, .timeLimit(.minutes(15)))
struct PowerCutTests {
    private let folder: TemporaryFolder
    private let incoming: URL
    private let configuration: URL

    init() throws {
        folder = try TemporaryFolder()
        incoming = folder["incoming"]
        try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
        configuration = try folder.write(PostFile.text, to: "checkpost.toml")
    }

    private var store: Store { get throws { try Store(path: folder["data/checkpost.sqlite"].path) } }

    private func start() throws -> Process {
        try Program.start(["run", "--config", configuration.path])
    }

    private func sampleFrames(_ count: Int) throws -> [URL] {
        let folder = Checkout.samples.appendingPathComponent("drive/BNP-A")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jpg" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
            .prefix(count).map { $0 }
    }

    /// Waits for the process's end, at most 30 s, without holding a thread.
    private func ended(_ process: Process) async {
        let deadline = Date().addingTimeInterval(30)
        while process.isRunning, Date() < deadline { try? await Task.sleep(for: .milliseconds(20)) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    private func takenCount() -> Int {
        (try? store.frames.takenKeys(camera: "gate").count) ?? 0
    }

    @Test func `by kill -9 at any moment loses no frame, repeats none, and leaves no passage out of the queue`()
        async throws
    {
        let frames = try sampleFrames(24)
        for frame in frames {
            try FileManager.default.copyItem(at: frame, to: incoming.appendingPathComponent(frame.lastPathComponent))
        }
        // Fixed steps through the work, each a little further into it than the one before.
        for cut in 0..<10 {
            let process = try start()
            try await Task.sleep(for: .milliseconds(120 + cut * 83))
            kill(process.processIdentifier, SIGKILL)
            await ended(process)
            try checkConsistency()
        }
        let process = try start()
        #expect(try await eventually(120) { takenCount() == frames.count })
        #expect(try await eventually(120) { try store.figures.now().passages >= 2 })
        #expect(
            try await eventually(120) {
                StatusBoard.read(folder: folder["data"].path)?.pid == process.processIdentifier
            })
        kill(process.processIdentifier, SIGTERM)
        await ended(process)
        #expect(process.terminationStatus == 0)
        try checkConsistency()
        let plates = try store.passages.list(limit: 1000).map(\.passage.plate.compact)
        #expect(plates.contains("BAC5763"))
        #expect(Set(plates).count == plates.count, "a vehicle was recorded twice: \(plates)")
    }

    private func checkConsistency() throws {
        guard FileManager.default.fileExists(atPath: folder["data/checkpost.sqlite"].path) else { return }
        let store = try store
        let passages = try store.passages.list(limit: 1000)
        let queued = Set(try store.queue.entries(limit: 1000).map(\.passageClientID))
        #expect(passages.allSatisfy { queued.contains($0.passage.clientID) })
        let photos = PhotoStore(folder: folder["data"])
        for passage in passages {
            let sha = try #require(passage.passage.photoSHA256)
            let photo = try #require(try store.photos.record(sha256: sha))
            #expect(try photos.verify(photo))
        }
        try store.close()
    }

    @Test func `stops on SIGTERM with the frame in hand recorded, and goes on where it was`() async throws {
        let frames = try sampleFrames(8)
        let process = try start()
        for frame in frames {
            try FileManager.default.copyItem(at: frame, to: incoming.appendingPathComponent(frame.lastPathComponent))
        }
        #expect(try await eventually(120) { takenCount() >= 1 })
        kill(process.processIdentifier, SIGTERM)
        await ended(process)
        #expect(process.terminationStatus == 0)
        let second = try start()
        #expect(try await eventually(120) { takenCount() == frames.count })
        kill(second.processIdentifier, SIGTERM)
        await ended(second)
        #expect(second.terminationStatus == 0)
    }

    @Test func `refuses a second run on the same data, and status says that one runs`() async throws {
        let process = try start()
        defer {
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
        }
        #expect(try await eventually(120) { RunLock.isHeld(folder: folder["data"].path) })
        let second = try await Program.run(["run", "--config", configuration.path])
        #expect(second.status == 1)
        #expect(second.errors.contains("Another `checkpost run`"))
        #expect(try await eventually(120) { StatusBoard.read(folder: folder["data"].path) != nil })
        let status = try await Program.run(["status", "--json", "--config", configuration.path])
        #expect(status.objects.first?["is_running"] as? Bool == true)
    }

    @Test func `goes on past files that are no pictures, and remembers them`() async throws {
        try Data("no picture".utf8).write(to: incoming.appendingPathComponent("text.jpg"))
        let good = try #require(try sampleFrames(2).last)
        let process = try start()
        try FileManager.default.copyItem(at: good, to: incoming.appendingPathComponent(good.lastPathComponent))
        #expect(try await eventually(120) { takenCount() == 2 })
        kill(process.processIdentifier, SIGTERM)
        await ended(process)
        let unreadable = try store.frames.unreadable()
        #expect(unreadable.map(\.file) == ["text.jpg"])
    }

    @Test func `says that the models are missing and loses no frame meanwhile`() async throws {
        let good = try #require(try sampleFrames(2).last)
        try FileManager.default.copyItem(at: good, to: incoming.appendingPathComponent(good.lastPathComponent))
        let text =
            try String(contentsOf: configuration, encoding: .utf8)
            + "\n[reader]\nmodels = \"nowhere\"\n"
        try Data(text.utf8).write(to: configuration)
        let process = try start()
        defer {
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
        }
        #expect(try await eventually(120) { (try? store.alarms.list().contains { $0.key == "reader.model" }) ?? false })
        #expect(takenCount() == 0)
        let status = try await Program.run(["status", "--config", configuration.path])
        #expect(status.status == 1)
        #expect(status.output.contains("traineddata is missing"))
    }

    @Test func `says which plates it can't read when one of the models is missing`() async throws {
        let models = configuration.deletingLastPathComponent().appendingPathComponent("some-models")
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        for name in ["latin-plate.traineddata", "plate-finder.weights", "reader.json"] {
            try FileManager.default.copyItem(
                at: Checkout.root.appendingPathComponent("models/\(name)"), to: models.appendingPathComponent(name))
        }
        let text = try String(contentsOf: configuration, encoding: .utf8) + "\n[reader]\nmodels = \"\(models.path)\"\n"
        try Data(text.utf8).write(to: configuration)
        let process = try start()
        defer {
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
        }
        #expect(
            try await eventually(120) { (try? store.alarms.list().contains { $0.key == "reader.limited" }) ?? false })
        let status = try await Program.run(["status", "--config", configuration.path])
        #expect(status.output.contains("Plates in Devanagari are not read"))
    }
}
