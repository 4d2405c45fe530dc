import Enforcement
import Foundation

/// Writes lines to a file, or to what is open already.
///
/// A file is written beside its place and moved there at the end: a full disk leaves no half of an export.
package final class LineWriter {
    private let path: String?
    private let partial: String
    private let handle: FileHandle
    private var isFinished = false

    package init(to handle: FileHandle) {
        (path, partial) = (nil, "")
        self.handle = handle
    }

    package init(path: String) throws {
        self.path = path
        partial = path + ".\(UUID().uuidString.prefix(8)).part"
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw AdvisedError("\(path) is a folder.", hint: "Name a file in it.")
        }
        guard FileManager.default.createFile(atPath: partial, contents: nil),
            let opened = FileHandle(forWritingAtPath: partial)
        else {
            throw AdvisedError("\(partial) can't be written.", hint: "Check the folder and its permissions.")
        }
        handle = opened
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
