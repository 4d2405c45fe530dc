import Appliance
import ArgumentParser
import Capture
import Enforcement
import Foundation
import Recognition

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Ask for post, segment, cameras, server and modem, try each, write the configuration.",
        discussion: """
            Nothing is written before the last question. A configuration that is there already is kept beside the new one \
            with ".old" at its end. Passwords go into files of their own that only their owner can read.
            """)

    @Option(help: "Write the configuration here.", completion: .file())
    var output = Configuration.defaultPath

    @OptionGroup var reader: ReaderOptions

    private var dialogue: Dialogue { Dialogue() }

    func run() async throws {
        var answers = SetupAnswers()
        var secrets: [String: Secret] = [:]
        dialogue.show("This post. An empty answer takes what stands in brackets.")
        let place = try askPost(&answers)
        try askSegment(&answers)
        let folder = try dialogue.ask("Folder for records and pictures", standard: "/var/lib/checkpost") { text in
            text.hasPrefix("/") ? nil : "The whole path, which begins with /: the box may start anywhere."
        }
        answers.add("data", [("folder", .text(folder))])
        // What the cameras are tried with is what the box reads with.
        if reader.models != nil || reader.country != nil {
            let models = reader.models.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
            answers.add(
                "reader", [("country", reader.country.map { .text($0) }), ("models", models.map { .text($0) })])
        }
        try await askCameras(&answers, &secrets, incoming: folder + "/incoming")
        try await askServer(&answers, &secrets, place: place)
        try askModem(&answers, &secrets)
        // The page for the post's own screen; `checkpost user add` lets people in.
        answers.add("console", [])
        try write(answers, secrets)
    }

    private func askPost(_ answers: inout SetupAnswers) throws -> ConfiguredPlace {
        func check(_ text: String) -> String? {
            (1...20).contains(text.count)
                && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
                ? nil : "1 to 20 letters, digits, \"-\" and \"_\"."
        }
        let code = try dialogue.ask("Code of this post, such as BNP-A", check: check)
        let name = try dialogue.ask("Its name for people", standard: code)
        let other = try dialogue.ask("Code of the post at the other end") { text in
            text == code ? "That is this post." : check(text)
        }
        let position = try dialogue.choose("Which end of the road is this", ["0", "1"], standard: "0")
        answers.add(
            "post",
            [
                ("code", .text(code)), ("name", .text(name)), ("other_code", .text(other)),
                ("position", .whole(Int(position) ?? 0)),
            ])
        return ConfiguredPlace(code: code, otherCode: other, position: Int(position) ?? 0)
    }

    private func askSegment(_ answers: inout SetupAnswers) throws {
        let name = try dialogue.ask("Name of the road or the park", standard: "Banke National Park")
        let distance = try dialogue.number("Distance between the posts in km", standard: 45, in: 0.01...9999.99)
        let highest = try dialogue.number("Highest lawful average speed in km/h", standard: 40, in: 0.02...300)
        let lowest = try dialogue.number(
            "Lowest average speed in km/h", standard: min(10, highest / 2), in: 0.01...(highest - 0.01))
        // Courts want a margin for the measurement. The larger of the two counts.
        let kmh = try dialogue.number(
            "Tolerance in km/h", standard: lowest > 3 ? 3 : 0, in: 0...min(100, max(0, lowest - 0.01)))
        let percent = try dialogue.number(
            "Tolerance in percent of the limit", standard: 3, in: 0...Tolerance.maximumPercent)
        answers.add(
            "segment",
            [
                ("name", .text(name)), ("distance_km", .number(distance)), ("max_speed_kmh", .number(highest)),
                ("min_speed_kmh", .number(lowest)), ("tolerance_kmh", .number(kmh)),
                ("tolerance_percent", .number(percent)),
            ])
        let segment = Segment(
            name: name, distanceKm: distance, maxSpeedKmh: highest, minSpeedKmh: lowest, toleranceKmh: kmh,
            tolerancePercent: percent)
        dialogue.show(
            "  A vehicle is speeding below \(Output.span(segment.shortestTravelTime)) and overstays beyond "
                + "\(Output.span(segment.longestTravelTime)).")
    }

    private func askCameras(
        _ answers: inout SetupAnswers, _ secrets: inout [String: Secret], incoming: String
    ) async throws {
        var count = 0
        repeat {
            count += 1
            let name = try dialogue.ask("Name of the camera", standard: count == 1 ? "gate" : "gate\(count)")
            let kind = try dialogue.choose("Kind of camera", ConfigurationSchema.cameraKinds, standard: "folder")
            let hasPath = kind == "folder" || kind == "v4l2"
            let address = try dialogue.ask(
                hasPath ? "Path" : "Address, without user and password",
                standard: kind == "folder" ? incoming : kind == "v4l2" ? "/dev/video0" : nil
            ) { text in
                let mistake = AddressRule.camera(kind: kind)?.mistake(
                    in: text, login: "user and password at the next questions")
                return mistake.map { "It can't be: \($0.reason). Allowed: \($0.allowed)." }
            }
            var user: String?
            var password: Secret?
            if !hasPath {
                let login = try dialogue.ask("User of the camera (empty for none)", standard: "")
                if !login.isEmpty {
                    user = login
                    password = try dialogue.secret("Password of the camera")
                }
            }
            try await tryCamera(name: name, kind: kind, address: address, user: user, password: password)
            let passwordFile = password.map { _ in secretPath(name) }
            if let password, let passwordFile { secrets[passwordFile] = password }
            answers.add(
                "camera",
                [
                    ("name", .text(name)), ("kind", .text(kind)), (hasPath ? "path" : "url", .text(address)),
                    ("user", user.map { .text($0) }), ("password_file", passwordFile.map { .text($0) }),
                ])
        } while try dialogue.confirm("Another camera?", standard: false)
    }

    private func tryCamera(name: String, kind: String, address: String, user: String?, password: Secret?) async throws {
        guard try dialogue.confirm("Try it now?", standard: true) else { return }
        let url = Secret(address)
        let kinds: [String: CameraConfiguration.Kind] = [
            "folder": .folder(path: address), "v4l2": .v4l2(device: address, size: nil),
            "rtsp": .rtsp(url: url, user: user, password: password),
            "mjpeg": .mjpeg(url: url, user: user, password: password, verifiesTLS: true),
            "snapshots": .snapshots(
                url: url, user: user, password: password, verifiesTLS: true, interval: .seconds(1)),
        ]
        guard let cameraKind = kinds[kind] else { return }
        let test = CameraTest(
            camera: CameraConfiguration(name: name, kind: cameraKind), recognizer: try reader.makeRecognizer())
        repeat {
            do {
                dialogue.show(try await test.run().text(columns: Output.terminalWidth))
            } catch {
                dialogue.show("  It didn't work: \(error)")
            }
        } while try dialogue.confirm("Try it again?", standard: false)
    }

    private func askServer(_ answers: inout SetupAnswers, _ secrets: inout [String: Secret], place: ConfiguredPlace)
        async throws
    {
        guard try dialogue.confirm("Does this post have a park server?", standard: true) else { return }
        while true {
            let url = try dialogue.ask("Address of the server, such as https://park.example.org") { text in
                let mistake = AddressRule.server.mistake(in: text, login: "account and password at the next questions")
                return mistake.map { "It can't be: \($0.reason). Allowed: \($0.allowed)." }
            }
            let account = "\(place.code.lowercased())@bnp.local"
            let email = try dialogue.ask("Account of this box", standard: account) { text in
                text.contains("@") && !text.contains("/") ? nil : "An e-mail address, such as \(account)."
            }
            let password = try dialogue.secret("Password of the account")
            let key = try dialogue.ask("Its anon key: a Supabase project has one (empty for none)", standard: "")
            let apiKey = key.isEmpty ? nil : key
            let finding = ServerTest(url: url, apiKey: apiKey, email: email, password: password, place: place).run()
            dialogue.show("  " + finding.text(post: place.code))
            // A server that isn't reached may be built later; what it refuses is a slip of the hand.
            if try finding == .knowsPost || dialogue.confirm("Keep it all the same?", standard: !finding.isProblem) {
                secrets[secretPath("server")] = password
                answers.add(
                    "server",
                    [
                        ("url", .text(url)), ("anon_key", apiKey.map { .text($0) }), ("email", .text(email)),
                        ("password_file", .text(secretPath("server"))),
                    ])
                return
            }
        }
    }

    private func askModem(_ answers: inout SetupAnswers, _ secrets: inout [String: Secret]) throws {
        guard try dialogue.confirm("Does this post have a GSM modem for SMS?", standard: false) else { return }
        let number = try dialogue.ask("Number that the server listens on, such as +9779800000000") { text in
            text.hasPrefix("+") && (8...16).contains(text.count) && text.dropFirst().allSatisfy(\.isNumber)
                ? nil : "A number with its country: + and 7 to 15 digits."
        }
        let phone = try dialogue.ask("Phone number of this box's account (empty for none)", standard: "") { text in
            text.isEmpty || text.filter(\.isNumber).count >= 7 ? nil : "The whole number, with at least 7 digits."
        }
        let device = try dialogue.ask("Serial port of the modem, such as /dev/serial/by-id/…, or auto")
        dialogue.show("  " + (ModemTest.problem(device: device) ?? "A modem answers there."))
        answers.add(
            "sms", [("gateway_number", .text(number)), ("ranger_phone", phone.isEmpty ? nil : .text(phone))])
        var pinFile: String?
        if try dialogue.confirm("Does its SIM ask for a PIN?", standard: false) {
            pinFile = secretPath("modem")
            secrets[secretPath("modem")] = try dialogue.secret("PIN of the SIM; a wrong one is tried once")
        }
        answers.add("modem", [("device", .text(device)), ("pin_file", pinFile.map { .text($0) })])
    }

    private func secretPath(_ name: String) -> String {
        URL(fileURLWithPath: output).deletingLastPathComponent().appendingPathComponent("\(name).password").path
    }

    private func write(_ answers: SetupAnswers, _ secrets: [String: Secret]) throws {
        let folder = URL(fileURLWithPath: output).deletingLastPathComponent()
        dialogue.show("\n\(answers.toml)")
        guard try dialogue.confirm("Write this to \(output)?", standard: true) else {
            return dialogue.show("Nothing was written.")
        }
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, secret) in secrets {
            guard
                manager.createFile(
                    atPath: path, contents: Data((secret.revealed + "\n").utf8), attributes: [.posixPermissions: 0o600])
            else { throw AdvisedError("\(path) can't be written.", hint: "Run setup as root.") }
            giveToService(path)
        }
        _ = try ConfigurationReader.read(text: answers.toml, path: output, relativeTo: folder.path)
        if manager.fileExists(atPath: output) {
            try? manager.removeItem(atPath: output + ".old")
            try manager.moveItem(atPath: output, toPath: output + ".old")
        }
        try Data(answers.toml.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        dialogue.show("Written. Start the appliance: systemctl start checkpost, or checkpost run --config \(output)")
    }

    /// The service reads its passwords as the user that `deploy/install` made for it.
    private func giveToService(_ path: String) {
        guard geteuid() == 0, let user = getpwnam("checkpost") else { return }
        _ = chown(path, user.pointee.pw_uid, user.pointee.pw_gid)
    }
}
