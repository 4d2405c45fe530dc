import Enforcement
import Glibc

/// Asks the kernel which files of a folder, and of those below it, were closed after writing or moved in (inotify).
final class FolderWatch {
    enum News: Equatable {
        /// These files are complete, by their paths below the folder; and whether a folder is new among them.
        case closed([String], hasNewFolder: Bool = false)
        /// The kernel lost events: everything must be listed again.
        case overflow
        /// The folder was deleted, moved away or unmounted.
        case gone
    }

    private let descriptor: Int32
    private let path: String
    private let root: Int32

    /// The folders below by the kernel's number of their watch, each with a slash at its end.
    private var prefixes: [Int32: String] = [:]

    private static let fileMask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)

    /// Nil when the kernel can't watch the folder (its limit of watches is reached, a network file system): then it is listed often.
    init?(path: String) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.path = path
        let mask = Self.fileMask | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        root = inotify_add_watch(descriptor, path, mask)
        guard root >= 0 else {
            close(descriptor)
            return nil
        }
    }

    /// Watches these folders below, too. One that can't be watched is listed now and then all the same.
    func cover(_ folders: [String]) {
        let known = Set(prefixes.values)
        for folder in folders where !known.contains(folder + "/") {
            let mask = Self.fileMask | UInt32(IN_ONLYDIR | IN_DONT_FOLLOW)
            let watch = inotify_add_watch(descriptor, path + "/" + folder, mask)
            guard watch >= 0 else { return }
            prefixes[watch] = folder + "/"
        }
    }

    deinit { close(descriptor) }

    /// What happened since the last call. Never waits.
    func news() -> News {
        var names: [String] = []
        var hasNewFolder = false
        let headerSize = MemoryLayout<inotify_event>.size
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
        defer { buffer.deallocate() }
        // Bounded: a folder that is written without a pause must not keep its reader here for ever.
        for _ in 0..<16 {
            let count = read(descriptor, buffer.baseAddress!, buffer.count)
            guard count > 0 else { break }
            var position = 0
            while position + headerSize <= count {
                let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
                let start = position + headerSize
                position = start + Int(event.len)
                guard position <= count else { break }
                if has(event.mask, IN_Q_OVERFLOW) { return .overflow }
                if event.wd != root, has(event.mask, IN_IGNORED) || has(event.mask, IN_UNMOUNT) {
                    prefixes[event.wd] = nil
                    continue
                }
                if has(event.mask, IN_DELETE_SELF) || has(event.mask, IN_MOVE_SELF) || has(event.mask, IN_IGNORED)
                    || has(event.mask, IN_UNMOUNT)
                {
                    return .gone
                }
                let name = String(validating: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self)
                guard let name else { continue }
                if has(event.mask, IN_ISDIR) {
                    hasNewFolder = true
                } else if !has(event.mask, IN_CREATE), event.wd == root || prefixes[event.wd] != nil {
                    // A file that was only begun is told of again when it is closed.
                    names.append((prefixes[event.wd] ?? "") + name)
                }
            }
        }
        return .closed(names, hasNewFolder: hasNewFolder)
    }

    private func has(_ mask: UInt32, _ bit: Int32) -> Bool { mask & UInt32(bitPattern: bit) != 0 }
}
