import Enforcement
import Glibc

/// Asks the kernel which files of a folder were closed after writing or moved in (inotify).
final class FolderWatch {
    enum News: Equatable {
        /// These files are complete.
        case closed([String])
        /// The kernel lost events: everything must be listed again.
        case overflow
        /// The folder was deleted, moved away or unmounted.
        case gone
    }

    private let descriptor: Int32

    /// Nil when the kernel can't watch the folder (its limit of watches is reached, a network file system): then it is listed often.
    init?(path: String) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        guard inotify_add_watch(descriptor, path, UInt32(truncatingIfNeeded: mask)) >= 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// What happened since the last call. Never waits.
    func news() -> News {
        var names: [String] = []
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
                if has(event.mask, IN_DELETE_SELF) || has(event.mask, IN_MOVE_SELF) || has(event.mask, IN_IGNORED)
                    || has(event.mask, IN_UNMOUNT)
                {
                    return .gone
                }
                let name = String(validating: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self)
                if let name { names.append(name) }
            }
        }
        return .closed(names)
    }

    private func has(_ mask: UInt32, _ bit: Int32) -> Bool { mask & UInt32(bitPattern: bit) != 0 }
}
