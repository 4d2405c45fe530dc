import Appliance
import Enforcement
import Foundation

extension SetupQuestions {
    mutating func askCameras(incoming: String) throws {
        answers.cameras = []
        for camera in standing.cameras {
            let name = camera["name"]?.text ?? "?"
            let place = camera["path"]?.text ?? camera["url"]?.text ?? "?"
            let word = try dialogue.choose(
                "The camera \(name) (\(camera["kind"]?.text ?? "?"), \(place))", ["keep", "change", "out"],
                standard: "keep")
            switch word {
            case "keep": try take(camera)
            case "change": try askCamera(camera, incoming: incoming)
            default: break
            }
        }
        if answers.cameras.isEmpty { try askCamera(answers.unfinishedCamera, incoming: incoming) }
        while try answers.cameras.isEmpty ? isCameraWanted() : dialogue.confirm("Another camera?", standard: false) {
            try askCamera(answers.cameras.isEmpty ? answers.unfinishedCamera : [:], incoming: incoming)
        }
    }

    /// So often somebody may say that there is none.
    private static let mostRefusals = 3

    /// Always true: a configuration without a camera is none, and nobody answers all other questions for nothing.
    ///
    /// - Throws: `AdvisedError` when nobody wants one.
    private func isCameraWanted() throws -> Bool {
        for _ in 0..<Self.mostRefusals {
            if try dialogue.confirm("A post needs a camera. Enter one?", standard: true) { return true }
            dialogue.show(
                "  Without a camera nothing is recorded, and the box does not start. One that is not there yet can be entered now: leave out "
                    + "the try, and the box looks for it until it comes.")
        }
        throw AdvisedError(
            "There is no camera, and nothing was written; the answers are remembered.",
            hint: "checkpost setup goes on with them once you know the camera's address or folder.")
    }

    private mutating func take(_ camera: SetupAnswers.Section) throws {
        answers.cameras.append(camera)
        answers.unfinishedCamera = [:]
        try files.remember(answers)
    }

    /// - Parameter before: what was answered for it before.
    private mutating func askCamera(_ before: SetupAnswers.Section, incoming: String) throws {
        var camera = before
        func stands(_ key: String) -> String? { before[key]?.text }
        func note(_ key: String, _ value: SetupAnswers.Value?, _ answers: inout SetupAnswers) throws {
            camera[key] = value
            answers.unfinishedCamera = camera
            try files.remember(answers)
        }
        let count = answers.cameras.count + 1
        let taken = answers.cameras.compactMap { $0["name"]?.text }
        let name = try dialogue.ask(
            "Name of the camera", standard: stands("name") ?? (count == 1 ? "gate" : "gate\(count)")
        ) {
            // Passwords lie in files of these names.
            taken.contains($0) || ["server", "modem"].contains($0)
                ? "Something else has this name." : ShortName.isValid($0) ? nil : "\(ShortName.allowed)."
        }
        try note("name", .text(name), &answers)
        let kind = try dialogue.choose(
            "Kind of camera", ConfigurationSchema.cameraKinds, standard: stands("kind") ?? "folder")
        if kind != stands("kind") {
            // What belonged to another kind would be a mistake in this one.
            for key in camera.keys where !["name", "mask", "silent_after_seconds", "utc_offset"].contains(key) {
                camera[key] = nil
            }
        }
        try note("kind", .text(kind), &answers)
        let hasPath = kind == "folder" || kind == "v4l2"
        let key = hasPath ? "path" : "url"
        let usual = kind == "folder" ? incoming : kind == "v4l2" ? "/dev/video0" : nil
        let address = try dialogue.ask(
            hasPath ? "Path" : "Address, without user and password", standard: camera[key]?.text ?? usual
        ) { text in
            let mistake = AddressRule.camera(kind: kind)?.mistake(
                in: text, login: "user and password at the next questions")
            return mistake.map { "It can't be: \($0.reason). Allowed: \($0.allowed)." }
        }
        try note(key, .text(address), &answers)
        if !hasPath {
            let login = try dialogue.ask("User of the camera (- for none)", standard: stands("user") ?? "") { _ in nil }
            let hasLogin = !login.isEmpty && login != "-"
            try note("user", hasLogin ? .text(login) : nil, &answers)
            if hasLogin {
                let hasSecret = answers.secrets[name] != nil || camera["password_file"] != nil
                if let password = try dialogue.secret("Password of the camera", stands: hasSecret) {
                    answers.secrets[name] = password.revealed
                }
                if answers.secrets[name] != nil { camera["password_file"] = .text(files.secretPath(name)) }
            } else {
                camera["password_file"] = nil
            }
            try note("user", camera["user"], &answers)
        }
        if try isKept(camera, name) {
            try take(camera)
        } else {
            dialogue.show("  The camera \(name) is left out; what was answered for it is remembered.")
        }
    }

    /// Tries a camera, as often as somebody wants.
    private func isKept(_ camera: SetupAnswers.Section, _ name: String) throws -> Bool {
        guard try dialogue.confirm("Try it now?", standard: true) else { return true }
        var alone = answers
        alone.cameras = [camera]
        // The others have their turn.
        for section in ["server", "sms", "modem", "trigger", "console"] { alone.sections[section] = nil }
        while try isWell("camera.\(name)", alone) != .passed {
            guard try dialogue.confirm("Try it again?", standard: true) else {
                return try dialogue.confirm("Keep it all the same?", standard: false)
            }
        }
        return true
    }
}
