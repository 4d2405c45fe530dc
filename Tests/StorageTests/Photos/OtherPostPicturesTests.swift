import Foundation
import Testing

@testable import Storage

@Suite("Pictures of the other post", .timeLimit(.minutes(10)))
struct OtherPostPicturesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)")
    private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])

    private func pictures() throws -> OtherPostPictures {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return OtherPostPictures(folder: folder)
    }

    @Test func `are kept under their passage, and read with their kind`() throws {
        let pictures = try pictures()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (one, other) = (UUID(), UUID())
        try pictures.keep(jpeg, of: one)
        try pictures.keep(Data([0x89, 0x50, 0x4E, 0x47]), of: other)
        #expect(pictures.has(one) && !pictures.has(UUID()))
        #expect(pictures.read(one)?.bytes == jpeg)
        #expect(pictures.read(other)?.mediaType == "image/png")
    }

    @Test(arguments: [Data("<script>".utf8), Data(), Data([0xFF, 0xD8]) + Data(count: OtherPostPictures.maximumBytes)])
    func `are pictures, and no larger than the server keeps them`(data: Data) throws {
        let pictures = try pictures()
        defer { try? FileManager.default.removeItem(at: folder) }
        let id = UUID()
        #expect(throws: StoreError.self) { try pictures.keep(data, of: id) }
        #expect(!pictures.has(id))
    }

    @Test func `never fill the disk: the oldest give way`() throws {
        let pictures = try pictures()
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = UUID()
        try pictures.keep(jpeg, of: first)
        let long = Date(timeIntervalSinceNow: -3600)
        let file = pictures.root.appendingPathComponent(first.uuidString.lowercased() + ".jpg")
        try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: file.path)
        for _ in 0..<OtherPostPictures.most - 1 {
            try jpeg.write(to: pictures.root.appendingPathComponent(UUID().uuidString + ".jpg"))
        }
        #expect(pictures.has(first))
        try pictures.keep(jpeg, of: UUID())
        #expect(!pictures.has(first))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: pictures.root.path).count == OtherPostPictures.most)
    }
}
