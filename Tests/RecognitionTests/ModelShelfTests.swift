import Foundation
import Testing

@testable import Recognition

@Suite("A shelf of models")
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
