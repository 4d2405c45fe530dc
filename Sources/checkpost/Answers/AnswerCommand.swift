import Appliance
import ArgumentParser
import Enforcement
import Foundation

/// Answers one question of the socket, which is its standard input and output: see `AnswerExchange`.
struct AnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Answer one question of a member of the group (for systemd).",
        shouldDisplay: false)

    func run() async throws {
        guard let question = AnswerExchange.question(from: STDIN_FILENO) else {
            return finish(.init(status: 2, message: "That is no question."))
        }
        finish(await answer(question))
    }

    private func answer(_ question: AnswerExchange.Question) async -> AnswerExchange.End {
        var used: any ParsableCommand.Type = CheckpostCommand.self
        do {
            var command = try CheckpostCommand.parseAsRoot(question.arguments)
            used = type(of: command)
            guard let answered = command as? any AnsweredCommand, answered.isAnswered else {
                return .init(status: 1, message: "The box answers only what reads its own records. Run this with sudo.")
            }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return .init(status: 0, message: "")
        } catch {
            let code = used.exitCode(for: error)
            return .init(
                status: code == .validationFailure ? 2 : code.rawValue, message: used.fullMessage(for: error))
        }
    }

    private func finish(_ end: AnswerExchange.End) {
        fflush(nil)
        FileHandle.standardOutput.write(AnswerExchange.end(end))
    }
}

/// Has a running box answer for a user who may not read its files.
enum AnswerClient {
    /// - Returns: the exit status; nil when this process is to do the work itself.
    static func status(of command: any ParsableCommand, arguments: [String]) throws -> Int32? {
        guard let command = command as? any AnsweredCommand, command.isAnswered else { return nil }
        let environment = ProcessInfo.processInfo.environment
        let named = environment[AnswerExchange.environmentName]
        if named == nil {
            // Root and the service's user read for themselves; so does whoever named a configuration.
            guard geteuid() != 0, environment["CHECKPOST_CONFIG"] == nil, let service = ServiceUser(),
                service.user != geteuid()
            else { return nil }
        }
        do {
            let answer = try AnswerExchange.ask(
                .init(arguments: arguments), at: named ?? AnswerExchange.usualPath)
            FileHandle.standardOutput.write(answer.output)
            if !answer.end.message.isEmpty { Output.note(answer.end.message) }
            return answer.end.status
        } catch AnswerExchange.Failure.nobody {
            return nil
        } catch AnswerExchange.Failure.forbidden {
            throw AdvisedError(
                "The box answers only members of the group checkpost, and \(ServiceUser.current) is none.",
                hint:
                    "sudo adduser \(ServiceUser.current) checkpost, then sign in again; or put sudo before the command."
            )
        } catch {
            throw AdvisedError(
                "The box did not answer: \(String(sentence: error))",
                hint: "systemctl status checkpost-answers.socket says how it is.")
        }
    }
}
