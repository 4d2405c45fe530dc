import Foundation
import Glibc

/// Remembers on disk that a PIN was entered, so that a wrong one is entered once and not once a boot.
///
/// The file belongs beside the database, readable by its owner alone: it holds the PIN that was tried, to know a corrected one
/// from the wrong one. It is empty after the SIM took the PIN.
package struct PINMemoryFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// What is remembered of `pin`. What can't be read counts as rejected: nothing is typed on a guess.
    package func read(pin: String?) -> GSMModem.PINMemory {
        guard FileManager.default.fileExists(atPath: path) else { return .untried }
        guard let data = FileManager.default.contents(atPath: path) else { return .rejected }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        if lines.isEmpty { return .untried }
        guard lines.count == 2, let memory = GSMModem.PINMemory(rawValue: lines[0]) else { return .rejected }
        return lines[1] == pin ? memory : .untried
    }

    /// Writes `memory` so that it survives a power cut.
    ///
    /// - Returns: whether it is on the disk.
    package func write(_ memory: GSMModem.PINMemory, pin: String?) -> Bool {
        let text = memory == .untried ? "" : "\(memory.rawValue)\n\(pin ?? "")\n"
        return DurableFile.write(text, to: path)
    }

    /// Lets the PIN be tried again: a technician checked it.
    @discardableResult
    package func forget() -> Bool {
        unlink(path) == 0 || errno == ENOENT
    }
}
