import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Setup

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Ask for post, segment, cameras, server and modem, try each, write the configuration.",
        discussion: """
            Each answer is remembered as it is given: a setup that was broken off, and one that is made again, begin with what \
            stands. "<" goes back to the question before. Cameras, server and modem are tried with the rights of the service. \
            Nothing is in force before the last question; the configuration that was is kept with ".old" at its end. Passwords go \
            into files of their own that only the service can read. Then the box is started, and its first pictures are waited for.
            """)

    @Option(help: "Write the configuration here.", completion: .file())
    var output = Configuration.defaultPath

    @Option(help: "The user that the service runs as.")
    var serviceUser = ServiceUser.usualName

    @Flag(help: "Let the box become another post while records of the former one wait; asks for a word.")
    var force = false

    @Flag(help: "Ask nothing: only tell systemd anew of the folders and the disk, and Avahi of the direct link.")
    var units = false

    @OptionGroup var reader: ReaderOptions

    private static let unit = "checkpost.service"

    func run() async throws {
        if units { return try Self.tellServices(of: try ConfigurationReader.read(path: output)) }
        let files = SetupFiles(path: output, owner: ServiceUser(named: serviceUser))
        let dialogue = Dialogue()
        let standing = files.standing()
        dialogue.show(
            "An empty answer takes what stands in brackets; \(Dialogue.back) goes back to the question before.")
        if standing.isUnfinished {
            dialogue.show("The last setup was not finished: what was answered stands in brackets.")
        }
        var questions = SetupQuestions(answers: standing.answers, dialogue: dialogue, files: files, isForced: force)
        questions.take(models: reader.models, country: reader.country)
        while true {
            do {
                guard try questions.ask() else {
                    return dialogue.show("Nothing was written; the answers are remembered.")
                }
                break
            } catch is Dialogue.Back {
                dialogue.goBack()
            } catch is Dialogue.Ended {
                throw AdvisedError(
                    "The answers ended before setup was done. Nothing was written but what was answered.",
                    hint: "checkpost setup goes on with it.")
            }
        }
        let answers = questions.answers
        try files.write(answers)
        dialogue.show("Written.")
        try await begin(answers, files, dialogue)
    }

    /// Starts the service, and waits for what shows that it works.
    private func begin(_ answers: SetupAnswers, _ files: SetupFiles, _ dialogue: Dialogue) async throws {
        let isService =
            geteuid() == 0 && files.path == Configuration.defaultPath
            && FileManager.default.fileExists(atPath: "/run/systemd/system")
        guard isService else {
            return dialogue.show(
                "Start the appliance: systemctl start checkpost, or checkpost run --config \(files.path)")
        }
        let configuration = try ConfigurationReader.read(path: files.path)
        try Self.tellServices(of: configuration)
        let startedAt = BoxClock.now
        dialogue.show("Starting the box.")
        for command in [
            ["daemon-reload"], ["enable", Self.unit, "checkpost-self-test.service"],
            ["restart", "--no-block", Self.unit],
        ] {
            guard Self.systemctl(command) else {
                throw AdvisedError(
                    "systemctl \(command.joined(separator: " ")) failed.", hint: "systemctl status checkpost says why.")
            }
        }
        guard await FirstMoments(configuration, startedAt: startedAt).watch({ dialogue.show($0) }) else {
            throw ExitCode(1)
        }
        dialogue.show(
            "The box works. `checkpost status` says how it is, `checkpost user add` lets people use its page.")
    }

    /// What the machine's own services have to know of this post. Nothing waits for Avahi.
    private static func tellServices(of configuration: Configuration) throws {
        try ServiceUnits.write(configuration)
        do { try PeerAnnouncement.write(configuration) } catch { Output.note("\(error)") }
    }

    private static func systemctl(_ arguments: [String]) -> Bool {
        BoundedProgram.run("/usr/bin/env", ["systemctl", "--quiet"] + arguments, seconds: 120).status == 0
    }
}
