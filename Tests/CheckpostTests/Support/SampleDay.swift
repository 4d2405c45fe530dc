import Foundation

/// The sample day at both ends of the road, replayed once for all tests.
enum SampleDay {
    struct Failed: Error { let text: String }

    static let replayed = Task {
        let folder = try TemporaryFolder()
        let frames = Checkout.samples.appendingPathComponent("drive").path
        let result = try await Program.run([
            "replay", "BNP-A=\(frames)/BNP-A", "BNP-B=\(frames)/BNP-B", "--json", "--database", folder["posts"].path,
        ])
        guard result.status == 0 else { throw Failed(text: result.errors) }
        return (folder: folder, result: result)
    }

    /// A copy of one post's database, to be changed.
    static func copy(of post: String, in folder: TemporaryFolder, to own: TemporaryFolder) throws -> String {
        let target = own["\(post).sqlite"].path
        for end in ["", "-wal"] {
            let file = folder["posts/\(post)/checkpost.sqlite\(end)"].path
            if FileManager.default.fileExists(atPath: file) {
                try FileManager.default.copyItem(atPath: file, toPath: target + end)
            }
        }
        return target
    }
}
