import Enforcement
import Foundation

/// The programs of the system that an update needs: those of the root that it works in.
struct UpdateTools: Sendable {
    let places: UpdatePlaces

    /// The service of the box, and the one that watches an update.
    private static let service = "checkpost.service"
    private static let watcher = "checkpost-update.service"

    private func run(_ name: String, _ arguments: [String], seconds: Double = 60) -> BoundedProgram.Result {
        BoundedProgram.run("\(places.root)/usr/bin/\(name)", arguments, seconds: seconds)
    }

    /// - Throws: `AdvisedError` with what the program said.
    private func need(_ name: String, _ arguments: [String], seconds: Double = 60, hint: String) throws {
        let result = run(name, arguments, seconds: seconds)
        guard result.status == 0 else { throw AdvisedError(Self.said(result.output, by: name), hint: hint) }
    }

    private static func said(_ output: String, by name: String) -> String {
        let last = output.split(whereSeparator: \.isNewline).last.map(String.init) ?? "it failed"
        return "\(name): \(last)"
    }

    // MARK: the service

    func restartService() throws {
        // Not waited for until it is ready: a camera that is gone must not hold up the trial. Its health is looked at anyway.
        try need("systemctl", ["restart", "--no-block", Self.service], hint: "systemctl status checkpost says why.")
    }

    func stopService() throws {
        try need("systemctl", ["stop", Self.service], hint: "systemctl status checkpost says why.")
    }

    func startService() throws {
        try need("systemctl", ["start", "--no-block", Self.service], hint: "systemctl status checkpost says why.")
    }

    func startWatcher() throws {
        try need(
            "systemctl", ["start", "--no-block", Self.watcher],
            hint: "systemctl status checkpost-update says why; checkpost update --watch does the same here.")
    }

    var isServiceActive: Bool { run("systemctl", ["is-active", "--quiet", Self.service]).status == 0 }

    // MARK: packages

    /// The version that Debian has on record as installed.
    func installedVersion() throws -> String {
        let result = run("dpkg-query", ["--show", "--showformat=${Version}", "checkpost"])
        let version = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        guard result.status == 0, !version.isEmpty else {
            throw AdvisedError(
                "Debian has no package checkpost on record.",
                hint: "Install one first: sudo apt install ./checkpost_….deb. Then it can be updated.")
        }
        return version
    }

    /// Whether this version is installed to its end: unpacked, and its own script has run.
    func isInstalled(_ version: String) -> Bool {
        let result = run("dpkg-query", ["--show", "--showformat=${db:Status-Status} ${Version}", "checkpost"])
        return result.status == 0
            && result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "installed \(version)"
    }

    func architecture() -> String {
        run("dpkg", ["--print-architecture"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func isNewer(_ version: String, than other: String) -> Bool {
        run("dpkg", ["--compare-versions", version, "gt", other]).status == 0
    }

    func field(_ name: String, of package: String) throws -> String {
        let result = run("dpkg-deb", ["--field", package, name])
        guard result.status == 0 else {
            throw AdvisedError(
                "\(package) is no Debian package: \(Self.said(result.output, by: "dpkg-deb")).",
                hint: "Copy the file once more.")
        }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func unpack(_ package: String, into folder: String) throws {
        try need(
            "dpkg-deb", ["--extract", package, folder], seconds: 900,
            hint: "Free space (df -h /opt), and copy the file once more.")
    }

    /// Everything of the package that lies outside its program too: units, manuals, rules. Its service is restarted by it.
    func install(_ package: String) throws {
        try need(
            "dpkg", ["--install", "--force-confold", package], seconds: 900,
            hint: "sudo dpkg --install \(package) says all of it. The new version runs meanwhile; it is tried again.")
    }
}
