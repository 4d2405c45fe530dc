import Foundation
import Testing

@Suite("A replay with a configuration", .timeLimit(.minutes(10)))
struct ReplayCameraTests {
    /// How many vehicles are seen in the first pictures of the sample drive.
    private func vehicles(_ cameras: String, folder name: String = "frames") async throws -> Int {
        let folder = try TemporaryFolder()
        let frames = Checkout.samples.appendingPathComponent("drive/BNP-A")
        try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        for picture in try FileManager.default.contentsOfDirectory(atPath: frames.path).filter({ $0.hasSuffix(".jpg") })
            .sorted().prefix(4)
        {
            try FileManager.default.copyItem(
                at: frames.appendingPathComponent(picture), to: folder[name + "/" + picture])
        }
        let post = PostFile.text.replacing("path = \"incoming\"", with: "path = \"incoming\"\n\(cameras)")
        let file = try folder.write(post, to: "checkpost.toml")
        let said = try await Program.run(["replay", folder[name].path, "--config", file.path, "--json"])
        let summary = try #require(said.objects.first, "\(said.errors)")
        return try ["passages", "reviews"].reduce(0) { count, key in
            count + (try #require(summary[key] as? [[String: Any]], "\(summary.keys)")).count
        }
    }

    @Test func `goes by the section of its only camera, or of the one that is named like the folder`() async throws {
        let other = "[[camera]]\nname = \"side\"\nkind = \"folder\"\npath = \"side\"\nmin_glyph_px = 900\n"
        #expect(try await vehicles("") > 0)
        #expect(try await vehicles("min_glyph_px = 900") == 0)
        #expect(try await vehicles(other) > 0, "of two cameras none is meant")
        #expect(try await vehicles(other, folder: "side") == 0)
    }
}
