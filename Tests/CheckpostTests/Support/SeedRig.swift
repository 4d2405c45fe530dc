import Enforcement
import Foundation
import Storage
import TestKit

@testable import Appliance

/// A box of one end of the road, with its configuration, whose commands run as programs.
struct SeedRig {
    let folder: TemporaryFolder
    let code: String
    let store: Store

    /// - Parameters:
    ///   - park: its server; nil for one that is out of reach.
    ///   - camera: the folder of its camera.
    init(_ letter: String, park: RealPark? = nil, camera: String = "incoming") throws {
        folder = try TemporaryFolder()
        code = "BNP-\(letter.uppercased())"
        let other = letter == "a" ? "BNP-B" : "BNP-A"
        let server = """
            [server]
            url = "\(park?.url ?? "http://127.0.0.1:9")"
            anon_key = "\(park?.key ?? "k")"
            email = "bnp-\(letter)@bnp.local"
            password_file = "server.password"

            """
        _ = try folder.write(
            PostFile.text(of: code, other: other, position: letter == "a" ? 0 : 1)
                .replacingOccurrences(of: "\"incoming\"", with: "\"\(camera)\"") + server, to: "checkpost.toml")
        _ = try folder.write("right-and-long-enough\n", to: "server.password")
        try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
        store = try Store(path: folder["data/checkpost.sqlite"].path)
    }

    var dataFolder: String { folder["data"].path }
    var configPath: String { folder["checkpost.toml"].path }
    var configuration: Configuration { get throws { try ConfigurationReader.read(path: configPath) } }

    @discardableResult
    func record(_ plate: String, minutesAgo: Double) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car, checkpostCode: code,
            recordedAt: BoxClock.now - .minutes(minutesAgo), clockState: .synchronised, confidence: 0.9, origin: .camera
        )
        try store.passages.record(passage, at: BoxClock.now)
        return passage
    }

    func run(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(arguments + ["--config", configPath])
    }

    /// The other post's passages that are here.
    func others() throws -> [String] {
        try store.otherPost.seed(ofPost: nil, since: Instant(milliseconds: 0), limit: 100_000)
            .map(\.passage.plate.canonical).sorted()
    }
}
