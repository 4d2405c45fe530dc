import Foundation
import TestKit

/// A clerk who follows the steps of an exported folder to the letter: the lines that begin with `$` are typed, what has to be compared is
/// compared.
struct ClerkSteps {
    let folder: URL

    private func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    /// The tools that the page promises to be enough, with the shell's own words.
    private static let tools: Set<String> = ["openssl", "sha256sum", "head", "cd", "for", "do", "done"]

    /// What does not verify; empty for good evidence.
    func complaints() async throws -> [String] {
        let page = try read("STEPS.txt")
        var complaints: [String] = []
        let lines = page.components(separatedBy: "\n")
        for (index, line) in lines.enumerated() where line.hasPrefix("$ ") {
            let command = String(line.dropFirst(2))
            for part in command.split(whereSeparator: { ";|&".contains($0) }) {
                let words = part.split(separator: " ").filter { $0 != "do" }
                guard let word = words.first, !Self.tools.contains(String(word)), !word.hasPrefix("1") else { continue }
                complaints.append("\(word) is not promised")
            }
            let outcome = try await OtherProgram.run(
                "/bin/sh", ["-c", "cd '\(folder.path)' && \(command)"], limitSeconds: 60)
            let printed = outcome.output.split(separator: "\n").map(String.init)
            if command.contains("openssl pkeyutl") {
                complaints += printed.filter { $0 != "Signature Verified Successfully" }
                if printed.isEmpty { complaints.append("nothing was verified") }
            } else if command.contains("sha256sum --check") {
                complaints += printed.filter { !$0.hasSuffix("OK") }
            } else if command.hasSuffix(".jpg") || command.hasSuffix(".png") {
                // "It must print the 64 digits that stand behind "photo:" in FILE."
                guard
                    let file = lines[index...].first(where: { $0.hasPrefix("It must print") })?
                        .components(separatedBy: " in ").last?.dropLast()
                else { return ["the page doesn't say what to compare with"] }
                let wanted = try read(String(file)).components(separatedBy: "\n").first { $0.hasPrefix("photo: ") }
                if printed.first?.prefix(64) != wanted?.dropFirst(7).prefix(64) {
                    complaints.append("\(command) differs")
                }
            }
        }
        return complaints + (try sum(page))
    }

    /// The calculator: the signed times against the seconds, the distance against the speed.
    private func sum(_ page: String) throws -> [String] {
        let times = try ["entry", "exit"].map { end -> Date in
            let record = try read("record.txt").components(separatedBy: "\n")
            let files = record.filter { $0.hasPrefix("  signed in") }.compactMap { $0.split(separator: " ").last }
            let text = try read(String(files[end == "entry" ? 0 : 1]))
            let line = text.components(separatedBy: "\n").first { $0.hasPrefix("recorded: ") } ?? ""
            return try Date(
                String(line.dropFirst(10)),
                strategy: .iso8601.year().month().day().timeZone(separator: .omitted)
                    .time(includingFractionalSeconds: true))
        }
        guard let formula = page.components(separatedBy: "\n").first(where: { $0.contains(" km x 3600 / ") }) else {
            return ["there is no formula"]
        }
        let numbers = formula.split(whereSeparator: { !"0123456789.".contains($0) }).compactMap { Double($0) }
        guard numbers.count == 4 else { return ["the formula is \(formula)"] }
        let seconds = times[1].timeIntervalSince(times[0])
        var complaints: [String] = []
        if abs(seconds - numbers[2]) > 0.0005 { complaints.append("the signed times are \(seconds) s apart") }
        if abs(numbers[0] * numbers[1] / numbers[2] - numbers[3]) > 0.001 { complaints.append("the speed is wrong") }
        return complaints
    }
}
