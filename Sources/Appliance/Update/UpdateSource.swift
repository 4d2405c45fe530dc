import Enforcement
import Foundation

/// Where a package for an update comes from: a file, a folder, or the stick for backups.
struct UpdateSource {
    let tools: UpdateTools

    /// - Parameter name: a file or a folder; nil for where backups go.
    /// - Returns: a package's path, of several the newest version with a signature.
    /// - Throws: `AdvisedError` when there is none.
    func find(_ name: String?, _ configuration: Configuration) throws -> String {
        guard let name else {
            guard let backup = configuration.backup else {
                throw AdvisedError(
                    "No package was named, and no stick is configured to look on.",
                    hint: "Name one: checkpost update FILE.deb; or set label in [backup] of the configuration.")
            }
            return try newest(in: try backup.medium())
        }
        guard Presence.of(name) == .there else {
            throw AdvisedError("\(name) is not there.", hint: "Is the stick mounted? lsblk shows it.")
        }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
        return isFolder.boolValue ? try newest(in: name) : name
    }

    private func newest(in folder: String) throws -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let (architecture, installed) = (tools.architecture(), try? tools.installedVersion())
        // For another Debian or another processor there may be packages beside it.
        let packages = names.filter {
            PackageName($0)?.fits(architecture: architecture, installed: installed) == true
                && names.contains($0 + ".sig")
        }.map { "\(folder)/\($0)" }
        var newest: (path: String, version: String)?
        for path in packages {
            guard let version = try? tools.field("Version", of: path) else { continue }
            if newest.map({ tools.isNewer(version, than: $0.version) }) ?? true { newest = (path, version) }
        }
        guard let newest else {
            throw AdvisedError(
                "\(folder) has no package for this machine with its signature.",
                hint: "Copy checkpost_VERSION_ARCH.deb and checkpost_VERSION_ARCH.deb.sig there.")
        }
        return newest.path
    }
}
