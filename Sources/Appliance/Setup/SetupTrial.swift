import Enforcement
import Foundation

/// Tries one part of what was answered the way the box will use it: in a process of the service's user that reads the answers from a
/// configuration, as the appliance does.
package struct SetupTrial: Sendable {
    package enum Outcome: Int32, Sendable {
        case passed = 0
        case failed = 1
        /// Nothing answered: it says nothing about the answers.
        case outOfReach = 3
    }

    private let answers: SetupAnswers
    private let owner: ServiceUser?

    package init(_ answers: SetupAnswers, owner: ServiceUser?) {
        self.answers = answers
        self.owner = owner
    }

    /// What the process finds out goes to this one's output.
    ///
    /// - Parameter check: as `self-test` names it.
    package func run(_ check: String) throws -> Outcome {
        let folder = "/tmp/checkpost-setup-\(UUID().uuidString)"
        guard mkdir(folder, 0o700) == 0 else {
            throw AdvisedError("\(folder) can't be made: \(String(cString: strerror(errno))).", hint: "Check the disk.")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if geteuid() == 0, let owner { _ = chown(folder, owner.user, owner.group) }
        let path = folder + "/checkpost.toml"
        try ServiceUser.write(Data(try configuration(in: folder).toml.utf8), to: path, for: owner)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
        process.arguments = ["self-test", "--direct", "--picture", "--config", path, "--only", check]
        process.arguments? += ["--service-user", owner?.name ?? ServiceUser.current]
        try process.run()
        process.waitUntilExit()
        return Outcome(rawValue: process.terminationStatus) ?? .failed
    }

    /// The answers with the passwords that are in no file yet in files of their own.
    private func configuration(in folder: String) throws -> SetupAnswers {
        var answers = answers
        for (name, secret) in answers.secrets {
            try ServiceUser.write(
                Data((secret + "\n").utf8), to: "\(folder)/\(name).password", for: owner, isSecret: true)
        }
        func moved(_ section: inout SetupAnswers.Section, _ key: String) {
            guard let path = section[key]?.text else { return }
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            if answers.secrets[name] != nil { section[key] = .text("\(folder)/\(name).password") }
        }
        for index in answers.cameras.indices { moved(&answers.cameras[index], "password_file") }
        for (section, key) in [("server", "password_file"), ("modem", "pin_file")] {
            guard var values = answers.sections[section] else { continue }
            moved(&values, key)
            answers.sections[section] = values
        }
        return answers
    }
}
