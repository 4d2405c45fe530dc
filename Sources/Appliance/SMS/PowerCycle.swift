import Foundation
import Subprocess

/// Runs the program that takes the modem's power away for some seconds.
struct PowerCycle: Sendable {
    /// The path of a program and its arguments.
    let command: [String]

    /// A relay or a hub's port takes some seconds; a program that takes longer is ended.
    var patience = Duration.seconds(60)

    /// - Returns: why it could not be done; nil when it was.
    func run() async -> String? {
        guard let program = command.first else { return "no program is configured" }
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .seconds(2))]
        do {
            return try await withThrowingTaskGroup(of: String?.self) { [options, patience] group in
                group.addTask {
                    let result = try await Subprocess.run(
                        .path(.init(program)), arguments: Arguments(Array(command.dropFirst())),
                        platformOptions: options, input: .none, output: .discarded, error: .string(limit: 4096))
                    guard !result.terminationStatus.isSuccess else { return nil }
                    let word = result.standardError.split(separator: "\n").last.map { ": \($0.prefix(200))" } ?? ""
                    return "\(program) ended with \(result.terminationStatus)\(word)"
                }
                group.addTask {
                    try await Task.sleep(for: patience)
                    return "\(program) took longer than \(patience)"
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch {
            return "\(program): \(error)"
        }
    }
}
