import Enforcement
import Foundation
import Storage

/// Where the programs of a box lie that was installed from a package, and which of them is chosen.
///
/// The installed program is `/usr/bin/checkpost`, the package's. One that is tried lies beside it, whole, below `/opt/checkpost/versions`,
/// and the link `/opt/checkpost/current` chooses it: without the link the installed one runs. The link is made by a rename and taken away
/// by an unlink, so that there is never a moment without a program. Only root writes here.
package struct UpdatePlaces: Sendable {
    /// Where all of this begins: nothing but `/` on a box; an empty text stands for it.
    package let root: String

    /// Whether this process is the program that is tried.
    let isBeside: Bool

    private static let programPath = "/usr/bin/checkpost"
    private static let folderPath = "/opt/checkpost"

    init(root: String, isBeside: Bool = false) {
        self.root = root == "/" ? "" : root
        self.isBeside = isBeside
    }

    /// - Parameter program: a program's own path, without links.
    /// - Returns: nil when it was not installed from a package.
    package init?(program: String) {
        if let range = program.range(of: Self.folderPath + "/versions/") {
            self.init(root: String(program[..<range.lowerBound]), isBeside: true)
        } else if program.hasSuffix(Self.programPath) {
            self.init(root: String(program.dropLast(Self.programPath.count)))
        } else {
            return nil
        }
    }

    /// - Throws: `AdvisedError` on a box that was installed in another way.
    package static func ofThisProgram() throws -> UpdatePlaces {
        guard let places = ownPath.flatMap(UpdatePlaces.init(program:)) else {
            throw AdvisedError(
                "This program was not installed from a package, and can't be updated by one.",
                hint: "Where deploy/install put it, run deploy/install again; or install the package with apt.")
        }
        return places
    }

    /// Where this program lies or lay.
    static var ownPath: String? { ownFile?.path }

    /// This program's own path, without links, and whether another file is there now, or none.
    static var ownFile: (path: String, isGone: Bool)? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        // What the kernel puts behind the path of a file that was unlinked or replaced.
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? (String(path.dropLast(mark.count)), true) : (path, false)
    }

    var installedProgram: String { root + Self.programPath }
    var folder: String { root + Self.folderPath }
    var state: String { folder + "/update.json" }
    var lastEnding: String { folder + "/last.json" }
    var lock: String { folder + "/lock" }

    /// Held by the process that works on an update, as long as it lives.
    var workLock: String { folder + "/work.lock" }
    var link: String { folder + "/current" }
    var versions: String { folder + "/versions" }

    /// A copy of the file that was named: it stays the one whose signature was checked.
    var package: String { folder + "/package.deb" }
    var backups: String { folder + "/backups" }

    /// A copy of the database to try the new program on.
    var rehearsal: String { folder + "/rehearsal" }

    func tree(of version: String) -> String { "\(versions)/\(version)" }
    func program(of version: String) -> String { tree(of: version) + Self.programPath }

    /// The program that the link chooses; nil for the installed one, also when what it leads to is not there.
    package var chosenBeside: String? {
        let program = link + Self.programPath
        return access(program, X_OK) == 0 ? program : nil
    }

    /// Makes the folders, for root to write and everybody to read: the service runs what lies there.
    func make() throws {
        for folder in [folder, versions, backups] {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw AdvisedError("\(folder) can't be made: \(error.localizedDescription)", hint: "Run this as root.")
            }
        }
        for folder in [root + "/opt", folder, versions] { chmod(folder, 0o755) }
    }

    /// Chooses a program for the next start. What runs goes on.
    func choose(_ program: UpdateMachine.Program, version: String) throws {
        switch program {
        case .installed:
            guard unlink(link) == 0 || errno == ENOENT else { throw failure("taken away") }
        case .beside:
            let new = link + ".new"
            unlink(new)
            guard symlink("versions/" + version, new) == 0, rename(new, link) == 0 else { throw failure("set") }
        }
        if Presence.of(folder) == .there { try DurableFolder.sync(folder) }
    }

    private func failure(_ what: String) -> AdvisedError {
        AdvisedError("\(link) can't be \(what): \(String(cString: strerror(errno))).", hint: "Run this as root.")
    }
}

/// Names and files on the disk for good, and in words for whoever updates what went wrong.
enum DurableFolder {
    /// A new name is on the disk once its folder is.
    static func sync(_ path: String) throws {
        try advised { try DurableFile.syncFolder(URL(fileURLWithPath: path)) }
    }

    /// A folder with everything in it.
    static func syncAll(_ folder: String) throws {
        try advised { try DurableFile.syncTree(URL(fileURLWithPath: folder)) }
    }

    /// A whole file, or the one that was there. `status` reads it for whoever asks.
    static func write(_ data: Data, to path: String) throws {
        try advised {
            try DurableFile.write(data, to: URL(fileURLWithPath: path), mode: 0o644, ignoresUmask: true)
        }
    }

    private static func advised(_ work: () throws -> Void) throws {
        do { try work() } catch let failure as DurableFile.Failure {
            throw AdvisedError(
                "\(failure.path) can't be written: \(failure.reason).", hint: "Run this as root; look at df.")
        }
    }
}
