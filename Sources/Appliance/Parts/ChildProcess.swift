import CLinux
import Enforcement
import Foundation

/// The process of one part, as the supervisor has it.
///
/// It is this program once more, with `--part`. Of the supervisor's descriptors it has none but the pipe of its beats; what it says on its
/// standard output and error comes through another pipe, so that its last words aren't lost.
struct ChildProcess {
    struct Failure: Error { let reason: String }

    let pid: pid_t
    let beats: Int32
    let words: Int32

    /// The beginning of a line whose end has not come yet.
    private var partial: [UInt8] = []
    private static let longestLine = 8192

    init(arguments: [String], environment: [String: String]) throws(Failure) {
        var (beatEnds, wordEnds): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe2(&beatEnds, O_CLOEXEC) == 0, pipe2(&wordEnds, O_CLOEXEC) == 0 else {
            let reason = String(cString: strerror(errno))
            for end in beatEnds + wordEnds where end >= 0 { close(end) }
            throw Failure(reason: reason)
        }
        for end in [beatEnds[0], beatEnds[1], wordEnds[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, wordEnds[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, wordEnds[1], STDERR_FILENO)
        posix_spawn_file_actions_adddup2(&actions, beatEnds[1], PartPulse.partDescriptor)
        posix_spawn_file_actions_addclosefrom_np(&actions, PartPulse.partDescriptor + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own: what it starts (ffmpeg) ends with it, and a terminal's Ctrl-C reaches the supervisor alone.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var started: pid_t = 0
        // Not by its name: an update may have put another version there meanwhile.
        let code = Self.withPointers(arguments) { arguments in
            Self.withPointers(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&started, "/proc/self/exe", &actions, &attributes, arguments, environment)
            }
        }
        close(beatEnds[1])
        close(wordEnds[1])
        guard code == 0 else {
            close(beatEnds[0])
            close(wordEnds[0])
            throw Failure(reason: String(cString: strerror(code)))
        }
        (pid, beats, words) = (started, beatEnds[0], wordEnds[0])
    }

    private static func withPointers<Result>(
        _ texts: [String], _ work: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return work(pointers + [nil])
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
