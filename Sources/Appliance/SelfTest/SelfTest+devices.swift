import Capture
import Console
import Enforcement
import Foundation
import Modem
import Recognition

/// What is outside the box.
extension SelfTest {
    func camera(_ camera: CameraConfiguration) async -> SelfTestFinding {
        let check = "camera.\(camera.name)"
        if let news = running?.cameras.first(where: { $0.name == camera.name }) { return finding(check, news) }
        if case .folder(let path) = camera.kind, showPicture == nil, let finding = folder(check, path) {
            return finding
        }
        do {
            let recognizer = try PlateRecognizer(
                models: configuration.reader.models, country: configuration.reader.country)
            let report = try await CameraTest(camera: camera, recognizer: recognizer).run(
                keepsPicture: showPicture != nil)
            showPicture?(report)
            let plates = report.result.readings.map(\.plate.canonical)
            return SelfTestFinding(
                check, .passed,
                "A picture of \(report.result.width) x \(report.result.height) pixels, "
                    + (plates.isEmpty ? "no plate in it." : "with \(plates.joined(separator: ", "))."))
        } catch let failure as CameraFailure {
            return SelfTestFinding(check, .failed, "\(failure.reason).", hint: failure.hint)
        } catch let error as AdvisedError {
            return SelfTestFinding(check, .failed, error.message, hint: error.hint)
        } catch {
            return SelfTestFinding(check, .failed, "\(error)", hint: "Look at the camera's settings.")
        }
    }

    private func finding(_ check: String, _ news: PartNews.Camera) -> SelfTestFinding {
        let last = news.lastFrameAt.map { ", the last of \($0.nepalText)" } ?? ""
        let detail = "It is \(news.phase): \(Wording.count(news.frameCount, "picture"))\(last)."
        guard CameraSupervision.Phase(rawValue: news.phase)?.givesPictures == true else {
            return SelfTestFinding(
                check, .failed, detail + (news.failure.map { " \($0)" } ?? ""),
                hint: "Check its power, its cable and its address.")
        }
        return SelfTestFinding(check, .passed, detail)
    }

    /// A folder that is empty says nothing about what fills it: nil when there is a picture to look at.
    private func folder(_ check: String, _ path: String) -> SelfTestFinding? {
        switch Presence.of(path) {
        case .absent:
            return SelfTestFinding(
                check, .failed, "The folder \(path) is not there.", hint: "Make it, or correct `path` of the camera.")
        case .hidden(let reason):
            return SelfTestFinding(
                check, .failed, "The folder \(path) can't be looked at: \(reason).",
                hint: "Let the user \(ServiceUser.current) read it.")
        case .there:
            break
        }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return names.isEmpty ? SelfTestFinding(check, .absent, "No picture is in \(path) now.") : nil
        } catch {
            return SelfTestFinding(
                check, .failed, "The folder \(path) can't be listed.",
                hint: "Let the user \(ServiceUser.current) read it.")
        }
    }

    func modem() async -> SelfTestFinding {
        guard let settings = configuration.modem else {
            return SelfTestFinding("modem", .absent, "No modem is configured.")
        }
        if let report = running?.sms, let modem = report.modem {
            return finding(modem, isReady: report.state == .ready || report.state == .active)
        }
        do {
            let session = try ModemSession(settings, dataFolder: configuration.dataFolder)
            defer { session.stop() }
            let health = await session.becomeReady()
            return finding(
                SMSReport.Modem(device: settings.device, health: health, trouble: session.trouble),
                isReady: health.stage == .ready)
        } catch {
            return SelfTestFinding("modem", .failed, "\(error)", hint: "Look at [modem] in the configuration.")
        }
    }

    private func finding(_ modem: SMSReport.Modem, isReady: Bool) -> SelfTestFinding {
        if isReady, modem.alarms.isEmpty {
            return SelfTestFinding("modem", .passed, "\(modem.device) is ready: \(modem.text).")
        }
        let detail = modem.trouble ?? "\(modem.device) is \(modem.stage): \(modem.text)."
        return SelfTestFinding(
            "modem", .failed, detail,
            hint: modem.alarms.isEmpty
                ? "Check its power, its cable and its antenna, then ask again." : modem.alarms.joined(separator: " "))
    }

    func server() -> SelfTestFinding {
        guard let server = configuration.server else {
            return SelfTestFinding("server", .absent, "No server is configured.")
        }
        let password: Secret
        do {
            password = try SecretFile.firstLine(of: server.passwordFile)
        } catch {
            return SelfTestFinding(
                "server", .failed, (error as? AdvisedError)?.message ?? "\(error)", hint: (error as? AdvisedError)?.hint
            )
        }
        let finding = ServerTest(
            url: server.url, apiKey: server.anonKey, certificateFile: server.caFile, email: server.email,
            password: password, place: configuration.place
        ).run()
        let text = finding.text(post: configuration.post.code)
        switch finding {
        case .knowsPost: return SelfTestFinding("server", .passed, text)
        case .unreachable:
            var finding = SelfTestFinding(
                "server", .failed, text, hint: "Look at the data link; everything is recorded here meanwhile.")
            finding.isOutOfReach = true
            return finding
        case .problem:
            return SelfTestFinding(
                "server", .failed, text, hint: "Correct [server] and its password file: checkpost setup.")
        }
    }

    /// A second of silence on the device that alerts sound on.
    func sound() -> SelfTestFinding {
        guard let device = configuration.console?.soundDevice, !device.isEmpty else {
            return SelfTestFinding("sound", .absent, "No sound device is configured (console.sound_device).")
        }
        let tried = BoundedProgram.run(
            "/usr/bin/env",
            ["aplay", "-q", "-D", device, "-d", "1", "-t", "raw", "-f", "S16_LE", "-r", "11025", "/dev/zero"],
            seconds: 10)
        guard tried.status == 0 else {
            let hint = "aplay -L lists the devices; the user \(ServiceUser.current) has to be in the group audio."
            return SelfTestFinding("sound", .failed, "\(device) gave no sound.", hint: hint)
        }
        return SelfTestFinding("sound", .passed, "\(device) takes sound; whether it is loud, only ears say.")
    }
}
