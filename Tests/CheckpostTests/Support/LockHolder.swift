import Foundation
import Testing

/// Another program that holds a database's lock for writing until it is ended.
final class LockHolder {
    private let process = Process()

    var pid: Int32 { process.processIdentifier }

    /// Returns when it holds the lock.
    init(_ path: String) throws {
        let says = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], timeout=60); c.execute('begin immediate'); "
                // Until it is killed.
                + "print('held', flush=True); time.sleep(600)", path,
        ]
        process.standardOutput = says
        try process.run()
        try #require(says.fileHandleForReading.availableData.starts(with: Data("held".utf8)))
    }

    deinit { letGo() }

    func letGo() {
        guard process.isRunning else { return }
        kill(pid, SIGKILL)
        process.waitUntilExit()
    }
}
