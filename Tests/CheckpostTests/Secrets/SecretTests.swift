import Foundation
import Testing

@testable import Appliance

/// The real program with every secret there is, while all that takes one is refused.
@Suite("The secrets of a box", .timeLimit(.minutes(15)), .serialized)
struct BoxSecretTests {
    private typealias Value = SecretBox.Value

    @Test(arguments: ["trace", "info"])
    func `are in no line of the log, no file of a part and no answer of a command`(_ level: String) async throws {
        let box = try await SecretBox(level: level)
        try box.start()
        try await ConsoleBox.wait("the console") {
            try box.signIn(["user": "tek", "password": Value.console]) == 200
        }
        #expect(try box.signIn(["user": "tek", "pin": Value.pin]) == 200)
        #expect(try box.signIn(["user": "tek", "password": Value.wrong]) == 401)
        #expect(try box.signIn(["user": "tek", "pin": Value.wrongPIN]) == 401)
        #expect(try box.signIn(["user": "nobody", "password": Value.wrong]) != 200)
        try await ConsoleBox.wait("every login to be tried") {
            box.asked.contains("/stream") && box.asked.contains("/auth/v1/token")
                && box.modem.received.contains { $0.contains(Value.simPIN) } && box.log.contains("camera.rear")
                && box.log.contains("camera.yard") && box.log.contains("PIN")
        }
        var texts = try box.written()
        for arguments in [
            ["status"], ["status", "--json"], ["config", "check"], ["config", "check", "--json"], ["sms", "log"],
            ["queue"], ["user", "list"], ["sync"],
        ] {
            let result = try await Program.run(arguments + ["--config", box.configuration.path])
            texts.append((arguments.joined(separator: " "), result.output + result.errors))
        }
        box.stop()
        texts += try box.written()
        for (name, text) in texts {
            for value in Value.all {
                let line = text.split(separator: "\n").first { $0.contains(value) }
                // The supervisor's copy of the configuration holds what its owner wrote into it; only the box can read it.
                if name.hasSuffix(".toml"), value == Value.address { continue }
                #expect(line == nil, "\(name): \(value)")
            }
        }
        #expect(texts.contains { $0.name == "status" && $0.text.contains("yard") })
    }

    @Test func `are in no description of the configuration, whatever prints it`() async throws {
        let box = try await SecretBox(level: "info")
        let configuration = try ConfigurationReader.read(path: box.configuration.path)
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            for value in Value.all { #expect(!text.contains(value), "\(value) in \(text)") }
        }
        #expect(configuration.modem?.pin?.revealed == Value.simPIN)
    }
}
