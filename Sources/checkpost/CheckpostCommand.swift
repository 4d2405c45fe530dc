import Enforcement
import Appliance
import ArgumentParser
import Foundation

@main
struct CheckpostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpost",
        abstract: "Records vehicles at a checkpost and enforces average speed.",
        version: Version.text,
        subcommands: [
            RunCommand.self, StatusCommand.self, PassagesCommand.self, ViolationsCommand.self, ReviewsCommand.self,
            OutcomesCommand.self, OverstaysCommand.self, LookAlikesCommand.self, ExemptCommand.self, WatchCommand.self,
            QueueCommand.self, SyncCommand.self,
            SMSCommand.self, TriggerCommand.self, PeerCommand.self, ExportCommand.self, ImportCommand.self,
            ReadCommand.self,
            ReplayCommand.self,
            ModelCommand.self, BenchCommand.self, UserCommand.self, ConfigCommand.self, SetupCommand.self,
            SelfTestCommand.self, DoctorCommand.self, BackupCommand.self, RestoreCommand.self, UpdateCommand.self,
            EvidenceCommand.self, FactoryResetCommand.self, SeedCommand.self, AnswerCommand.self,
        ])

    /// Exits with 0 when the work is done, 1 when it failed, 2 when the command was used wrongly.
    static func main() async {
        ProgramStart.settle(isUpdate: CommandLine.arguments.dropFirst().first == "update")
        // Plates and pictures are for the box and its group, not for every user of the machine.
        umask(0o027)
        if CommandLine.arguments.dropFirst() == ["--version"] { return print(VersionText.whole) }
        defer { ReadOnlyCopy.remove() }
        var used: any ParsableCommand.Type = Self.self
        do {
            var command = try parseAsRoot()
            used = type(of: command)
            if let status = try AnswerClient.status(of: command, arguments: Array(CommandLine.arguments.dropFirst())) {
                Foundation.exit(status)
            }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            guard fflush(nil) == 0 else {
                throw AdvisedError(
                    "The output can't be written: \(String(cString: strerror(errno))).", hint: "Is the disk full?")
            }
        } catch {
            let code = used.exitCode(for: error)
            let message = used.fullMessage(for: error)
            if !message.isEmpty {
                (code == .success ? FileHandle.standardOutput : .standardError).write(Data((message + "\n").utf8))
            }
            ReadOnlyCopy.remove()
            Foundation.exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
