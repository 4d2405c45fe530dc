import Foundation
import Testing

@testable import Recognition

@Suite("A shelf of models", .timeLimit(.minutes(10)))
struct ModelShelfTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)")

    /// A folder with the Latin model in use, and another file that holds the Devanagari one under its name.
    private func prepare() throws -> (shelf: ModelShelf, other: URL) {
        let models = folder.appendingPathComponent("models")
        let new = folder.appendingPathComponent("new")
        for place in [models, new] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        let source = URL(fileURLWithPath: Places.models)
        let other = new.appendingPathComponent("latin-plate.traineddata")
        try FileManager.default.copyItem(
            at: source.appendingPathComponent("latin-plate.traineddata"),
            to: models.appendingPathComponent("latin-plate.traineddata"))
        try FileManager.default.copyItem(at: source.appendingPathComponent("devanagari-plate.traineddata"), to: other)
        return (try ModelShelf(folder: models.path), other)
    }

    @Test func `takes a model into use and brings the former one back by its hash`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        let former = try #require(shelf.entries().first)
        let used = try shelf.use(other.path).model
        #expect(used.hash != former.hash)
        #expect(shelf.entries().map(\.isUsed) == [true, false])
        #expect(try shelf.use(String(former.hash.prefix(6))).model.hash == former.hash)
    }

    @Test func `says in words why models can't be switched`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        try Data("in the way".utf8).write(to: folder.appendingPathComponent("models/shelf"))
        #expect { try shelf.use(other.path) } throws: { error in
            "\(error)".hasPrefix("the models can't be switched: ") && !"\(error)".contains("NSCocoaErrorDomain")
        }
    }

    @Test func `tells a model that was taken into use from one that was exchanged, and lets every user read it`() throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        let former = try #require(shelf.entries().first)
        #expect(!shelf.wasTaken(former), "it came with the folder")
        let used = try shelf.use(other.path).model
        #expect(shelf.wasTaken(used))
        let mode = try FileManager.default.attributesOfItem(atPath: used.path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: used.path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: used.path))
        let inUse = shelf.entries().filter(\.isUsed)
        let exchanged = try #require(inUse.first)
        #expect(!shelf.wasTaken(exchanged))
    }

    @Test func `switches the finder's network too`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, _) = try prepare()
        let name = PlateDetector.fileName
        let shipped = URL(fileURLWithPath: Places.models).appendingPathComponent(name)
        let other = folder.appendingPathComponent("new").appendingPathComponent(name)
        var bytes = try Data(contentsOf: shipped)
        try bytes.write(to: shelf.folder.appendingPathComponent(name))
        // The last number of the last bias: another network, which loads.
        bytes[bytes.count - 4] ^= 1
        try bytes.write(to: other)
        let finders = shelf.entries().filter { $0.name == "plate-finder" }
        let former = try #require(finders.first)
        #expect(try shelf.use(other.path).model.hash != former.hash)
        #expect(try shelf.use(former.hash).model.hash == former.hash)
        #expect(try Data(contentsOf: shelf.folder.appendingPathComponent(name)) == Data(contentsOf: shipped))
    }

    /// Parameters that were measured with another Latin model, beside it.
    private func writeParameters(beside other: URL) throws {
        let shipped = URL(fileURLWithPath: Places.models).appendingPathComponent(ReaderParameters.fileName)
        let text = try String(contentsOf: shipped, encoding: .utf8)
        try Data(text.replacingOccurrences(of: "684e914fb6c2", with: "68d2204a9389").utf8)
            .write(to: other.deletingLastPathComponent().appendingPathComponent(ReaderParameters.fileName))
    }

    @Test func `a model's parameters come with it, and go back to the shelf with it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        let own = shelf.folder.appendingPathComponent(ReaderParameters.fileName)
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: Places.models).appendingPathComponent(ReaderParameters.fileName), to: own)
        try writeParameters(beside: other)
        let before = try #require(shelf.used("reader"))
        let former = try #require(shelf.used("latin-plate"))
        #expect(former.parameters == before.hash)
        let taken = try shelf.use(other.path)
        let with = try #require(taken.parameters)
        #expect(with.hash != before.hash && taken.model.parameters == with.hash)
        #expect(shelf.wasTaken(with))
        #expect(shelf.strangers(to: with) == [])
        #expect(shelf.entries().filter { !$0.isUsed }.map(\.name) == ["latin-plate", "reader"])
        #expect(shelf.entries().first { $0.hash == former.hash }?.parameters == before.hash)
        #expect(try shelf.use(former.hash).parameters?.hash == before.hash)
        #expect(shelf.used("reader")?.hash == before.hash)
    }

    @Test func `parameters are taken by themselves too, and say whether they belong to the models in use`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        try writeParameters(beside: other)
        let file = other.deletingLastPathComponent().appendingPathComponent(ReaderParameters.fileName)
        let taken = try shelf.use(file.path)
        #expect(taken.model.name == "reader" && taken.parameters == nil)
        #expect(shelf.strangers(to: taken.model) == ["latin-plate"])
    }

    @Test func `a model with damaged parameters beside it is not taken`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        try Data("{}".utf8).write(
            to: other.deletingLastPathComponent().appendingPathComponent(ReaderParameters.fileName))
        let before = shelf.entries()
        #expect { try shelf.use(other.path) } throws: {
            "\($0)".contains("reader.json can't be used: version is missing")
        }
        #expect(shelf.entries() == before)
    }

    @Test func `changes nothing for a damaged model`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, other) = try prepare()
        try Data("no model".utf8).write(to: other)
        let before = shelf.entries()
        #expect(throws: ModelShelf.Failure.self) { try shelf.use(other.path) }
        #expect(shelf.entries() == before)
    }

    @Test func `says which model it doesn't know`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (shelf, _) = try prepare()
        #expect(throws: ModelShelf.Failure.noSuchModel("0123")) { try shelf.use("0123") }
        #expect(throws: ModelShelf.Failure.noFolder("/nowhere")) { try ModelShelf(folder: "/nowhere") }
    }
}
