import Crypto
import Enforcement
import Foundation
import TestKit
import Testing

@testable import Appliance

@Suite("A signature of a package", .timeLimit(.minutes(2)))
struct UpdateSignatureTests {
    private let folder: TemporaryFolder
    private static let openssl = "/usr/bin/openssl"

    init() throws { folder = try TemporaryFolder() }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: openssl)))
    func `is what deploy/package makes, with a key of openssl`() async throws {
        let (key, package) = (folder["update.key"].path, try folder.write("a package", to: "a.deb").path)
        let made = try await OtherProgram.run(Self.openssl, ["genpkey", "-algorithm", "ed25519", "-out", key])
        #expect(made.status == 0, "\(made.output)")
        let shown = try await OtherProgram.run(Self.openssl, ["pkey", "-in", key, "-pubout"])
        let line = try #require(shown.output.split(separator: "\n").first { !$0.hasPrefix("-") })
        let said = try await OtherProgram.run(
            Checkout.root.appendingPathComponent("deploy/package").path, ["--sign", key, package])
        #expect(said.status == 0, "\(said.output)")
        let signature = try Data(contentsOf: URL(fileURLWithPath: package + ".sig"))
        let trusted = try #require(UpdateSignature(publicKey: String(line)))
        try trusted.check(package, signature: signature, named: "a.deb")
        // The 64 bytes themselves are one too.
        let raw = try #require(Data(base64Encoded: signature))
        try trusted.check(package, signature: raw, named: "a.deb")
        try Data("another package".utf8).write(to: folder["a.deb"])
        #expect(throws: AdvisedError.self) { try trusted.check(package, signature: signature, named: "a.deb") }
    }

    @Test func `of the package alone, without its purpose, is none`() throws {
        let package = try folder.write("a package", to: "a.deb").path
        let key = Curve25519.Signing.PrivateKey()
        let trusted = try #require(
            UpdateSignature(publicKey: key.publicKey.rawRepresentation.base64EncodedString()))
        let sha256 = try UpdateSignature.sha256(of: package)
        for text in [sha256, sha256 + "\n", "checkpost evidence\n\(sha256)\n"] {
            let signature = try key.signature(for: Data(text.utf8))
            #expect(throws: AdvisedError.self) { try trusted.check(package, signature: signature, named: "a.deb") }
        }
    }

    @Test(arguments: [
        "", "key", "MCowBQYDK2VwAyEA", "AAAA", "MCowBQYDK2VuAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ])
    func `needs a key that is one`(text: String) throws {
        #expect(UpdateSignature(publicKey: text) == nil)
        let configuration = PostFile.text + "[update]\npublic_key = \"\(text)\"\n"
        #expect(throws: (any Error).self) {
            try ConfigurationReader.read(text: configuration, path: "checkpost.toml", relativeTo: folder.url.path)
        }
    }
}
