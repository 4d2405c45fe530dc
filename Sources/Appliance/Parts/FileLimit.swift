import Foundation

/// How many files and connections the program may have open at a time.
enum FileLimit {
    /// More is never needed; some programs that are started close every file up to the limit, one by one.
    private static let most: rlim_t = 65_536

    /// Takes as many as the system lets it: a shell's 1024 are few for cameras, database and browsers together.
    static func raise() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, most) else { return }
        limit.rlim_cur = min(limit.rlim_max, most)
        _ = setrlimit(resource, &limit)
    }
}
