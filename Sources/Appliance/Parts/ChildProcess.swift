import CLinux
import Enforcement
import Foundation

/// The process of one part, as the supervisor has it.
///
/// It is this program once more, with `--part`. Of the supervisor's descriptors it has none but the pipe of its beats; what it says on its
/// standard output and error comes through another pipe, so that its last words aren't lost.
struct ChildProcess {
    let pid: pid_t
    let beats: Int32
    let words: Int32

    /// The beginning of a line whose end has not come yet.
    private var partial: [UInt8] = []
    private static let longestLine = 8192

    init(arguments: [String], environment: [String: String]) throws(ProgramSpawn.Failure) {
        let beating = try ProgramSpawn.pipe()
        defer { close(beating.writing) }
        let saying: (reading: Int32, writing: Int32)
        do throws(ProgramSpawn.Failure) { saying = try ProgramSpawn.pipe() } catch {
            close(beating.reading)
            throw error
        }
        defer { close(saying.writing) }
        for end in [beating.reading, beating.writing, saying.reading] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        do throws(ProgramSpawn.Failure) {
            // Not by its name: an update may have put another version there meanwhile.
            pid = try ProgramSpawn.start(
                "/proc/self/exe", arguments: arguments, environment: environment,
                descriptors: [
                    STDOUT_FILENO: saying.writing, STDERR_FILENO: saying.writing,
                    PartPulse.partDescriptor: beating.writing,
                ])
        } catch {
            close(beating.reading)
            close(saying.reading)
            throw error
        }
        (beats, words) = (beating.reading, saying.reading)
    }

    /// The beats that have come since the last call, as one; nil when none has.
    func beat() -> PartPulse.Beat? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var found: PartPulse.Beat?
        while true {
            let count = read(beats, &bytes, bytes.count)
            guard count > 0 else { return found }
            if bytes[..<count].contains(PartPulse.Beat.able.rawValue) { found = .able }
            found = found ?? .plain
        }
    }

    /// The whole lines that it has said since the last call, at most 64 KB: one that never stops talking must not keep the supervisor
    /// from the others.
    mutating func heard(isOver: Bool = false) -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        var rounds = 0
        while rounds < 4 {
            let count = read(words, &bytes, bytes.count)
            guard count > 0 else { break }
            partial += bytes[..<count]
            rounds += 1
        }
        var end = partial.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if isOver || partial.count - end > Self.longestLine { end = partial.count }
        defer { partial.removeFirst(end) }
        return String(decoding: partial[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    /// What it has in memory; nil when it is gone.
    var residentBytes: Int? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let file = open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
    }

    func closeEnds() {
        close(beats)
        close(words)
    }
}
