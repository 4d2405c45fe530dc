import Enforcement
import Foundation
import Synchronization

/// Notices that SQLite found the file damaged, leaves a mark beside it for the next start, and tells once.
final class DamageWatch: Sendable {
    private struct State {
        var isMarked = false
        var act: (@Sendable (StoreError) -> Void)?
        var told: StoreError?
    }

    private let path: String
    private let state = Mutex(State())

    init(path: String) {
        self.path = path
    }

    func set(_ act: @escaping @Sendable (StoreError) -> Void) {
        let told = state.withLock { state in
            state.act = act
            return state.told
        }
        if let told { act(told) }
    }

    func look(_ error: StoreError) {
        guard error.isFileDamaged else { return }
        let (isFirst, act) = state.withLock { state in
            defer { state.isMarked = true }
            if !state.isMarked { state.told = error }
            return (!state.isMarked, state.act)
        }
        guard isFirst else { return }
        DamageMark(path: path).add(error.message)
        act?(error)
    }

    /// The file is sound and has to be opened anew: nothing is marked for the start.
    func tell(_ error: StoreError) {
        let act = state.withLock { state in
            state.told = state.told ?? error
            return state.act
        }
        act?(error)
    }
}

/// The file beside a database that says that SQLite found it damaged, one line each time.
///
/// It is written by whoever meets the damage, and read by the start, which alone may set the file aside.
package struct DamageMark {
    private let file: String

    /// - Parameter path: of the database.
    package init(path: String) {
        file = path + ".damage"
    }

    var lines: [String] {
        guard let text = FileManager.default.contents(atPath: file) else { return [] }
        return String(decoding: text.prefix(64 << 10), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// On a disk that takes no more there is no mark: the check at the start finds the damage as well.
    package func add(_ line: String) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = Data((line.replacing("\n", with: " ") + "\n").utf8)
        _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        fsync(descriptor)
    }

    package func remove() { unlink(file) }
}
