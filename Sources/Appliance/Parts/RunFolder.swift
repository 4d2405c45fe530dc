import Enforcement
import Foundation

/// The folder `run` in the data folder: what the parts tell each other beside the database.
///
/// Nothing in it is needed after a restart. It changes every second, so as a service it is a link to the folder in memory that systemd
/// makes (`RuntimeDirectory`): a card would wear out. Files are replaced whole: a reader sees the old one or the new one.
struct RunFolder: Sendable {
    let dataFolder: String
    let path: String

    init(dataFolder: String) {
        self.dataFolder = dataFolder
        path = dataFolder + "/run"
    }

    /// Makes it, without what an earlier run left. Locks stay: a part of that run may still be on its way out.
    ///
    /// - Parameter memory: a folder in memory that lives as long as this run; nil without one.
    func begin(memory: String? = ProcessInfo.processInfo.environment["RUNTIME_DIRECTORY"]) throws {
        let manager = FileManager.default
        // An error here means that it is no link.
        let link = try? manager.destinationOfSymbolicLink(atPath: path)
        if let memory, manager.fileExists(atPath: memory) {
            // One that leads there already stays: a disk without a free name takes no other.
            if link != memory {
                if link != nil { unlink(path) } else { try? manager.removeItem(atPath: path) }
                try manager.createSymbolicLink(atPath: path, withDestinationPath: memory)
            }
        } else {
            if link != nil { unlink(path) }
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for name in try manager.contentsOfDirectory(atPath: path) where !name.hasSuffix(".lock") {
            try? manager.removeItem(atPath: path + "/" + name)
        }
    }

    /// What the supervisor says of all parts.
    var supervisor: String { path + "/supervisor.json" }

    /// What a part says of itself.
    func news(of part: Part) -> String { "\(path)/\(part.name).json" }

    /// Why a part can't use the database; nothing is there while it can.
    func trouble(of part: Part) -> String { "\(path)/\(part.name).database.json" }

    /// Held by the one process that may be this part.
    func lock(of part: Part) -> String { "\(path)/\(part.name).lock" }

    /// Which picture a camera's part has in hand.
    func hand(of camera: String) -> String { "\(path)/camera.\(camera).hand" }

    /// The configuration as it was when the appliance started: every part is of one mind, also one that starts later.
    var configuration: String { path + "/checkpost.toml" }

    /// When a trigger told of vehicles.
    var triggerLook: String { path + "/trigger.look" }

    var log: String { path + "/log" }
    var olderLog: String { path + "/log.1" }

    /// Who reads it sees by its age that it could not be written: nobody depends on it.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    static func write(_ data: Data, to path: String) -> Bool {
        let new = "\(path).\(getpid()).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return false }
        let count = data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        guard count == data.count, rename(new, path) == 0 else {
            unlink(new)
            return false
        }
        return true
    }

    static func write(_ value: some Encodable, to path: String) {
        guard let data = try? JSONEncoder.sorted.encode(value) else { return }
        write(data, to: path)
    }

    static func read<Value: Decodable>(_ type: Value.Type, from path: String) -> Value? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
