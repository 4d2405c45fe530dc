import CLinux
import Foundation

/// Starts a program in a process group of its own, with no descriptors but those that it is given.
///
/// Foundation's `Process` lets what a program leaves behind keep its end unnoticed: it waits for the last holder of a socket that every
/// process below it inherits.
enum ProgramSpawn {
    struct Failure: Error { let reason: String }

    /// - Parameters:
    ///   - arguments: with the program's name as the first.
    ///   - descriptors: the child's number of each, without gaps from 1, and this process's; its standard input is empty.
    static func start(
        _ path: String, arguments: [String], environment: [String: String],
        descriptors: KeyValuePairs<Int32, Int32>
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (number, own) in descriptors { posix_spawn_file_actions_adddup2(&actions, own, number) }
        posix_spawn_file_actions_addclosefrom_np(&actions, (descriptors.map(\.key).max() ?? STDERR_FILENO) + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // What it starts ends with it, and a terminal's Ctrl-C reaches this process alone.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var started: pid_t = 0
        let code = withPointers(arguments) { arguments in
            withPointers(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&started, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw Failure(reason: String(cString: strerror(code))) }
        return started
    }

    /// The two ends of a pipe that no other program inherits: to read from, to write to.
    static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        return (ends[0], ends[1])
    }

    private static func withPointers<Result>(
        _ texts: [String], _ work: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return work(pointers + [nil])
    }
}
