import Enforcement
import Foundation
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

@Suite("A new secret of the park's server", .serialized, .timeLimit(.minutes(5)))
struct SecretRotationTests {
    private static let text = """
        # The park's own words.
        [database]
        url = "dbname=checkpost"   # jwt_secret = "not this one"
        [auth]
          jwt_secret = "the first secret of the park, long enough"   # keep it!
        access_token_minutes = 30
        """
    private static let second: Secret = "the second secret of the park, long enough"

    @Test func `takes the place of the former one, which is good still, and leaves the rest as it was written`() throws
    {
        let made = try SecretRotation.rotated(Self.text, new: Self.second)
        let settings = try SettingsFile.settings(toml: made)
        #expect(settings.jwtSecret == Self.second)
        #expect(settings.formerSecrets == ["the first secret of the park, long enough"])
        #expect(settings.accessTokenMinutes == 30 && made.hasPrefix("# The park's own words.\n[database]\nurl ="))
        let third = try SecretRotation.rotated(made, new: "the third secret of the park, long enough")
        #expect(try SettingsFile.settings(toml: third).formerSecrets == [Self.second] + settings.formerSecrets)
        let fourth = try SecretRotation.rotated(third, new: "the fourth secret of the park, long enough")
        #expect(throws: Settings.Mistake.self) {
            try SecretRotation.rotated(fourth, new: "the fifth secret of the park, long enough")
        }
    }

    @Test(arguments: [
        "", "[auth]\njwt_secret = \"short\"\n", text.replacing("jwt_secret = \"the", with: "\"jwt_secret\" = \"the"),
    ])
    func `is not made where the file can't be read, or changed`(text: String) {
        #expect(throws: (any Error).self) { try SecretRotation.rotated(text, new: Self.second) }
    }

    @Test func `keeps the file's mode, and leaves no other file`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rotation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("checkpost-server.toml")
        try Data(Self.text.utf8).write(to: file)
        chmod(file.path, 0o640)
        try SecretRotation.rotate(path: file.path)
        let settings = try SettingsFile.settings(path: file.path)
        #expect(settings.formerSecrets.count == 1 && settings.jwtSecret.revealed.utf8.count == 64)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["checkpost-server.toml"])
        #expect(throws: Settings.Mistake.self) { try SecretRotation.rotate(path: folder.path + "/none") }
    }

    @Test func `cuts no box off: its key and its tokens are good until they end by themselves`() async throws {
        let former: Secret = "the secret before, which boxes have, long enough"
        try await TestServer.run({ $0.formerSecrets = [former] }) { server, _ in
            let old = TokenSigner(secret: former)
            let key = try old.key(for: .anon)
            let signedIn = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: nil, ["apikey": key],
                json: ["email": "a@bnp.local", "password": "password-a"])
            #expect(signedIn.status == 200, "\(signedIn.text)")
            let claims = try #require(signedIn.object["access_token"] as? String).split(separator: ".")[1]
            let fields = try ParkClaims.read(claims)
            // What the box was given before the change.
            for (signer, status) in [
                (old, 200), (TokenSigner(secret: "a secret of nobody, which is long enough"), 401),
            ] {
                let token = try signer.sign(fields)
                let answer = try await server.send(
                    "GET", "/rest/v1/checkposts", as: nil, ["apikey": key, "Authorization": "Bearer \(token)"])
                #expect(answer.status == status, "\(answer.text)")
            }
            #expect(throws: TokenSigner.Refusal.wrongSignature) {
                try old.caller(
                    signedIn.object["access_token"] as? String ?? "", atEpochSeconds: Date().timeIntervalSince1970)
            }
        }
    }

    @Test func `stands beside the former ones in the configuration, three at most and none twice`() {
        for list in [
            "[\"short\"]", "[\"the first secret of the park, long enough\"]",
            "[" + (1...4).map { "\"the former secret \($0) of the park, long\"" }.joined(separator: ", ") + "]",
        ] {
            let text = Self.text + "\nformer_jwt_secrets = \(list)\n"
            #expect(throws: Settings.Mistake.self, "\(list)") { try SettingsFile.settings(toml: text) }
        }
    }
}

/// The claims of a token, to be signed with another key.
private enum ParkClaims {
    static func read(_ payload: Substring) throws -> [String: JSONValue] {
        guard let data = Data(base64URL: payload), case .object(let fields) = try JSONValue(data) else { return [:] }
        return fields
    }
}

@Suite("The server over TLS", .serialized, .timeLimit(.minutes(5)))
struct ServerTLSTests {
    @Test func `serves with its certificate, and refuses to begin with one that is none`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.path + "/server.pem", folder.path + "/server.key")
        let made = try await OtherProgram.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ], limitSeconds: 60)
        #expect(made.status == 0, "\(made.output)")
        @Sendable func ask(_ port: Int, _ more: [String]) async throws -> (status: Int32, output: String) {
            let answer = try await OtherProgram.run(
                "/usr/bin/curl",
                ["-sS", "--max-time", "10", "--resolve", "localhost:\(port):127.0.0.1"] + more
                    + ["https://localhost:\(port)/health"], limitSeconds: 30)
            return (answer.status, answer.output)
        }
        try await TestServer.run({
            $0.certificateFile = certificate
            $0.keyFile = key
        }) { server, _ in
            let answer = try await ask(server.port, ["--cacert", certificate])
            #expect(answer.status == 0 && answer.output == #"{"photos":"ok","status":"ok"}"#, "\(answer.output)")
            #expect(try await ask(server.port, []).status != 0, "nobody vouches for it")
            #expect(try await ask(server.port, ["--cacert", certificate, "--tls-max", "1.1"]).status != 0)
        }
        for wrong in [folder.path + "/none", key] {
            await #expect(throws: (any Error).self) {
                try await TestServer.run({
                    $0.certificateFile = wrong
                    $0.keyFile = key
                }) { _, _ in }
            }
        }
        #expect(throws: Settings.Mistake.self) {
            var settings = Settings()
            settings.jwtSecret = "a secret of the tests, long enough for HS256"
            settings.databaseURL = "dbname=x"
            settings.certificateFile = certificate
            try settings.check()
        }
    }
}
