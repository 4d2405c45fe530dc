import Enforcement
import Foundation

/// Writes lines to a file, or to what is open already.
///
/// A file is written beside its place and moved there at the end: a full disk leaves no half of an export. A link stays, and what it leads to is
/// written; a device or a pipe is written into.
package final class LineWriter {
    private let path: String?
    private let partial: String
    private let handle: FileHandle
    private var isFinished = false

    package init(to handle: FileHandle) {
        (path, partial) = (nil, "")
        self.handle = handle
    }

    /// - Parameter mode: the rights of a new file; nil for those of whoever runs this.
    package init(path: String, mode: mode_t? = nil) throws {
        let kind = Self.kind(of: path)
        if kind == S_IFDIR { throw AdvisedError("\(path) is a folder.", hint: "Name a file in it.") }
        if let kind, kind != S_IFREG {
            guard let opened = FileHandle(forWritingAtPath: path) else {
                throw AdvisedError("\(path) can't be written.", hint: "It is no file: name one.")
            }
            (self.path, partial, handle) = (nil, "", opened)
            return
        }
        let path = Self.followed(path)
        self.path = path
        partial = path + ".\(UUID().uuidString.prefix(8)).part"
        let attributes = mode.map { [FileAttributeKey.posixPermissions: Int($0)] }
        guard FileManager.default.createFile(atPath: partial, contents: nil, attributes: attributes),
            let opened = FileHandle(forWritingAtPath: partial)
        else {
            throw AdvisedError("\(partial) can't be written.", hint: "Check the folder and its permissions.")
        }
        handle = opened
    }

    /// What stands at the end of all links; nil for nothing.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Where the links lead; what isn't there yet is where it is named.
    private static func followed(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    deinit {
        if path != nil, !isFinished { try? FileManager.default.removeItem(atPath: partial) }
    }

    package func write(_ line: String) throws {
        do { try handle.write(contentsOf: Data((line + "\n").utf8)) } catch {
            throw AdvisedError(
                "\(path ?? "The output") can't be written: \(error.localizedDescription)", hint: "Is the disk full?")
        }
    }

    package func finish() throws {
        guard let path else { return }
        try handle.synchronize()
        try handle.close()
        guard rename(partial, path) == 0 else {
            throw AdvisedError("\(path) can't be replaced.", hint: "Check the folder and its permissions.")
        }
        isFinished = true
    }
}
