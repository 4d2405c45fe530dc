import Foundation

/// Which programs hold a file's locks for writing, as the kernel lists them in `/proc/locks`.
enum LockHolders {
    /// - Parameters:
    ///   - database: the file; SQLite locks the memory beside it that its users share.
    ///   - ours: processes of the box itself.
    /// - Returns: `sqlite3, process 4711`, as far as this user may see them.
    static func names(
        of database: String, besides ours: Set<pid_t>,
        locks: String = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    ) -> [String] {
        let files = Set(
            ["", "-shm"].compactMap { ending -> String? in
                var status = stat()
                guard stat(database + ending, &status) == 0 else { return nil }
                return "\(status.st_ino)"
            })
        // 1: POSIX  ADVISORY  WRITE 4711 08:01:131 120 120
        let holders = locks.split(separator: "\n").compactMap { line -> pid_t? in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "POSIX", words[3] == "WRITE",
                let inode = words[5].split(separator: ":").last,
                files.contains(String(inode))
            else { return nil }
            return pid_t(words[4])
        }
        return Set(holders).subtracting(ours).filter { $0 > 0 }.sorted().map { pid in
            let name = (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8))?
                .trimmingCharacters(in: .whitespacesAndNewlines)
            return (name.map { $0 + ", " } ?? "") + "process \(pid)"
        }
    }
}
