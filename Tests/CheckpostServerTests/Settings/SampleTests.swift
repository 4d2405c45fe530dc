import Enforcement
import Foundation
import Testing

@testable import checkpost_server

@Suite("The shipped sample of the server's configuration", .timeLimit(.minutes(10)))
struct SampleTests {
    private static let path = PostgresCluster.package.appendingPathComponent("deploy/server/checkpost-server.toml").path
    private static let secret = "a secret of the tests, long enough for HS256"

    private func sample() throws -> String {
        try String(contentsOfFile: Self.path, encoding: .utf8)
            .replacing("jwt_secret = \"\"", with: "jwt_secret = \"\(Self.secret)\"")
    }

    @Test func `is taken as it stands, but for the secret that everybody would know`() throws {
        let mistake = #expect(throws: Settings.Mistake.self) { try SettingsFile.settings(path: Self.path) }
        #expect(
            mistake?.description.contains("auth.jwt_secret needs 32 characters") == true, "\(mistake.debugDescription)")
        let settings = try SettingsFile.settings(toml: sample())

        // What it says is the default is the default.
        var standard = Settings()
        standard.jwtSecret = Secret(Self.secret)
        standard.databaseURL = settings.databaseURL
        standard.ownerURL = settings.ownerURL
        #expect(settings == standard)
    }

    @Test func `names every key that there is`() throws {
        let sample = try sample()
        let file = SettingsFile(
            server: .init(), database: .init(), auth: .init(), warden: .init(), sms: .init(), modem: .init(),
            photos: .init(), photo_bucket: .init(),
            updates: .init(), limits: .init(), backup: .init(), backup_bucket: .init(), retention: .init(),
            metrics: .init(), overstay: .init())
        for section in Mirror(reflecting: file).children {
            let content = try #require(Mirror(reflecting: section.value).children.first)
            #expect(sample.contains("\n[\(section.label ?? "")]"))
            for key in Mirror(reflecting: content.value).children {
                #expect(sample.contains("\n\(key.label ?? "") = "), "\(section.label ?? "").\(key.label ?? "")")
            }
        }
    }

    @Test(arguments: ["10", "10.0", "0.5"])
    func `takes a whole number wherever decimals may stand`(number: String) throws {
        let text = try sample().replacing(
            "statement_timeout_seconds = 10", with: "statement_timeout_seconds = \(number)"
        )
        .replacing("interval_minutes = 15", with: "interval_minutes = \(number)")
        let settings = try SettingsFile.settings(toml: text)
        #expect(settings.statementTimeoutSeconds == Double(number))
        #expect(settings.overstayIntervalMinutes == Double(number))
    }

    @Test func `says what is wrong with a number that is none`() throws {
        let text = try sample().replacing("interval_minutes = 15", with: "interval_minutes = \"soon\"")
        #expect(throws: (any Error).self) { try SettingsFile.settings(toml: text) }
        let decimals = try sample().replacing("port = 8000", with: "port = 8000.5")
        #expect(throws: (any Error).self) { try SettingsFile.settings(toml: decimals) }
    }
}
