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
        let used = try shelf.use(other.path)
        #expect(used.hash != former.hash)
        #expect(shelf.entries().map(\.isUsed) == [true, false])
        #expect(try shelf.use(String(former.hash.prefix(6))).hash == former.hash)
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
        let used = try shelf.use(other.path)
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
        let name = PlateSpotter.fileName
        let shipped = URL(fileURLWithPath: Places.models).appendingPathComponent(name)
        let other = folder.appendingPathComponent("new").appendingPathComponent(name)
        var bytes = try Data(contentsOf: shipped)
        try bytes.write(to: shelf.folder.appendingPathComponent(name))
        // The last number of the last bias: another network, which loads.
        bytes[bytes.count - 4] ^= 1
        try bytes.write(to: other)
        let finders = shelf.entries().filter { $0.name == "plate-finder" }
        let former = try #require(finders.first)
        #expect(try shelf.use(other.path).hash != former.hash)
        #expect(try shelf.use(former.hash).hash == former.hash)
        #expect(try Data(contentsOf: shelf.folder.appendingPathComponent(name)) == Data(contentsOf: shipped))
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
