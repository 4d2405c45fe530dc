import Console
import Foundation
import TestKit
import Testing

@testable import Appliance

@Suite("An appliance with a console", .serialized, .timeLimit(.minutes(15)))
struct ConsoleBoxTests {
    private func run(_ arguments: [String]) throws -> OtherProgram.Result {
        try OtherProgram.runAndWait("/usr/bin/env", arguments)
    }

    /// A certificate for 127.0.0.1 that signs itself, as a technician makes one.
    private func certificate(in folder: TemporaryFolder) throws -> (certificate: String, key: String) {
        let (certificate, key) = (folder["box.pem"].path, folder["box.key"].path)
        let made = try run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days",
            "2",
            "-subj", "/CN=checkpost", "-addext", "subjectAltName=IP:127.0.0.1",
        ])
        #expect(made.status == 0, "\(made.output)")
        return (certificate, key)
    }

    @Test func `is served over TLS, and the cookie then travels over nothing else`() async throws {
        let files = try TemporaryFolder()
        let (certificate, key) = try certificate(in: files)
        let box = try await ConsoleBox(
            console: "certificate_file = \"\(certificate)\"\nkey_file = \"\(key)\"")
        try await box.start()
        let address = "https://127.0.0.1:\(box.port)"
        let page = try run(["curl", "-sS", "--cacert", certificate, address + "/sign-in"])
        #expect(page.output.contains("<h1>Checkpost"), "\(page.output)")
        #expect(try run(["curl", "-sS", address + "/sign-in"]).status != 0, "a stranger's certificate")
        #expect(try run(["curl", "-sS", "--max-time", "20", "http://127.0.0.1:\(box.port)/sign-in"]).status != 0)
        let signIn = try run([
            "curl", "-sSi", "--cacert", certificate, "-H", "Content-Type: application/json", "-d",
            "{\"user\": \"tek\", \"password\": \"\(ConsoleBox.password)\"}", address + "/api/sign-in",
        ])
        #expect(signIn.output.contains("; Secure"), "\(signIn.output)")
        try await watchesOverTLS(box)
    }

    /// The text console trusts the box's own certificate.
    private func watchesOverTLS(_ box: ConsoleBox) async throws {
        guard Tmux.isThere else { return }
        let terminal = try await Tmux(
            [Checkout.program.path, "watch", "--user", "tek", "--config", box.configuration.path], width: 80,
            height: 24,
            folder: box.folder)
        try await terminal.wait(for: "PIN or password:")
        try terminal.type(ConsoleBox.password)
        try terminal.press("Enter")
        try await terminal.wait(for: "LAST PASSAGES")
    }

    @Test func `sounds an alert on its own device until somebody has touched it`() async throws {
        let files = try TemporaryFolder()
        let heard = files["heard"]
        let player = try files.write("#!/bin/sh\necho \"$@\" >> '\(heard.path)'\n", to: "aplay")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: player.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let box = try await ConsoleBox(
            console: "sound_device = \"plughw:0\"",
            environment: ["PATH": files.url.path + ":" + path])
        try await box.bringInOtherPost()
        try await box.start()
        try box.arrive("0501")
        func lines() -> [Substring] {
            ((try? String(contentsOf: heard, encoding: .utf8)) ?? "").split(separator: "\n")
        }
        try await ConsoleBox.wait("the sound, twice") { lines().count >= 2 }
        #expect(lines().allSatisfy { $0.hasPrefix("-q -D plughw:0 ") && $0.hasSuffix("/speeding.wav") }, "\(lines())")
        let jar = files["jar"].path
        let signIn = try run([
            "curl", "-sS", "-c", jar, "-H", "Content-Type: application/json", "-d",
            "{\"user\": \"tek\", \"password\": \"\(ConsoleBox.password)\"}", box.url + "/api/sign-in",
        ]).output
        let token = try #require(
            (try JSONSerialization.jsonObject(with: Data(signIn.utf8)) as? [String: Any])?["form_token"] as? String)
        let alerts = try run(["curl", "-sS", "-b", jar, box.url + "/api/alerts"]).output
        let list = try JSONSerialization.jsonObject(with: Data(alerts.utf8)) as? [[String: Any]]
        let id = try #require(list?.first?["id"] as? String)
        _ = try run([
            "curl", "-sS", "-b", jar, "-H", "X-Form-Token: \(token)", "-H", "Content-Type: application/json", "-d",
            "{\"id\": \"\(id)\"}", box.url + "/api/alerts/later",
        ])
        // One may be under way; after a pause longer than between two, there is no other.
        try await Task.sleep(for: .seconds(5))
        let count = lines().count
        // What must not come is waited for as long as it would take.
        try await Task.sleep(for: .seconds(6))
        #expect(lines().count == count)
    }

    @Test(.enabled(if: RealPark.isPossible))
    func `asks the park's server about somebody it doesn't know`() async throws {
        let park = try RealPark()
        let server = Configuration.Server(
            url: park.url, email: "bnp-a@bnp.local", passwordFile: "", anonKey: park.key, caFile: nil)
        let signIn = ServerSignIn(server: server, checkpostCode: "BNP-B")
        #expect(
            await signIn.ask("bnp-b", "right-and-long-enough")
                == .accepted(fullName: "Box b", isTechnician: false), "a name without a domain has the box's")
        #expect(await signIn.ask("bnp-b@bnp.local", "wrong") == .refused)
        #expect(await signIn.ask("nobody", "right-and-long-enough") == .refused)
        let elsewhere = ServerSignIn(server: server, checkpostCode: "BNP-A")
        #expect(await elsewhere.ask("bnp-b", "right-and-long-enough") == .closed, "he is of another post")
        _ = try park.query("update user_profiles set is_active = false where full_name = 'Box b'")
        #expect([.closed, .refused].contains(await signIn.ask("bnp-b", "right-and-long-enough")))
        _ = try park.query("update user_profiles set is_active = true where full_name = 'Box b'")
        _ = try park.query("update user_profiles set role = 'admin' where full_name = 'Box b'")
        #expect(
            await signIn.ask("bnp-b", "right-and-long-enough") == .accepted(fullName: "Box b", isTechnician: true))
        _ = try park.query(
            "update user_profiles set role = 'auditor', assigned_checkpost_id = null where full_name = 'Box b'")
        #expect(await signIn.ask("bnp-b", "right-and-long-enough") == .closed, "an auditor has nothing to do at a post")
        park.stop()
        #expect(await signIn.ask("bnp-b", "right-and-long-enough") == .unreachable)
    }

    @Test func `takes the other post's pictures from a drive, those of vehicles that broke a limit`() async throws {
        let box = try await ConsoleBox()
        try await box.bringInOtherPost()
        let samples = try await SampleDay.replayed.value.folder
        let photos = samples["posts/BNP-A/photos"].path
        let file = box.folder["other.json"].path
        let before = try await box.run(["import", "passages", file, "--photos", photos])
        #expect(before.output.contains("Pictures taken over: 0, not found there: 0."), "nobody broke a limit yet")
        let own = try await Program.run([
            "replay", Checkout.samples.appendingPathComponent("drive/BNP-B").path, "--config", box.configuration.path,
            "--database", box.folder["data/checkpost.sqlite"].path,
        ])
        #expect(own.status == 0, "\(own.errors)")
        let after = try await box.run(["import", "passages", file, "--photos", photos])
        #expect(after.output.contains("Pictures taken over: 2, not found there: 0."), "\(after.output)\(after.errors)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: box.folder["data/other-photos"].path)
        #expect(kept.count == 2)
        let again = try await box.run(["import", "passages", file, "--photos", photos])
        #expect(again.output.contains("Pictures taken over: 0, not found there: 0."), "a second time changes nothing")
        let nowhere = try await box.run(["import", "passages", file, "--photos", "/nowhere"])
        #expect(nowhere.status == 0, "nothing is wanted any more")
    }
}
