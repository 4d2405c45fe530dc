import Enforcement
import Foundation
import Storage

/// Puts what support needs into one archive: how the box is, what it says of itself, its machine and its log. No plate, no picture
/// and no secret is in it.
package struct Doctor {
    private let place: BoxPlace
    private let open: (String) throws -> Store

    /// - Parameter open: opens the database at a path.
    package init(_ place: BoxPlace, open: @escaping (String) throws -> Store) {
        self.place = place
        self.open = open
    }

    /// What stands in the archive, before it is cleaned.
    private struct Page {
        let name: String
        let text: String
    }

    /// Makes the archive.
    ///
    /// - Parameter path: the archive's file; nil for one in the working folder that is named by post and time.
    /// - Returns: its path. What could not be found out stands in it with its reason.
    /// - Throws: `AdvisedError` when the file can't be written.
    package func make(at path: String? = nil, now: Instant) async throws -> String {
        let configuration = try? place.configuration()
        let data = place.folder(configuration)
        let name = "checkpost-doctor-\(configuration?.post.code ?? "box")-\(now.fileStamp)"
        let archive = path ?? name + ".tar.gz"
        guard Presence.of(archive) == .absent else {
            throw AdvisedError(
                "There is \(archive) already, or it can't be looked at.",
                hint: "Name a file that is not there with --to.")
        }
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: work) }
        let folder = work.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var pages = [
            Page(name: "README.txt", text: Self.readme), configurationPage(), await selfTest(configuration),
            machine(data), log(data),
        ]
        pages += status()
        var plates: Set<String> = []
        do {
            guard let data else {
                throw AdvisedError("Nothing says where the records are.", hint: "Name the database with --database.")
            }
            let store = try open(place.database ?? data + "/checkpost.sqlite")
            pages.append(try database(store))
            pages.append(try queue(store))
            plates = try store.support.plates()
        } catch {
            pages.append(Page(name: "database.txt", text: "\(error)\n"))
        }
        let cleaner = SupportText(plates: plates, secrets: secrets(in: data))
        for page in pages {
            try Data(cleaner.clean(page.text).utf8).write(to: folder.appendingPathComponent(page.name))
        }
        let packed = BoundedProgram.run("/bin/tar", ["-czf", archive, "-C", work.path, name], seconds: 60)
        guard packed.status == 0 else {
            throw AdvisedError(
                "The archive \(archive) can't be written: \(packed.output.prefix(300))",
                hint: "Name a file in a folder that you may write to with --to.")
        }
        return archive
    }

    private static let readme = """
        What checkpost collected of this box for support. Plates on record are written as \(SupportText.plate), \
        passwords, PINs and tokens as \(SupportText.secret); pictures are not in it. Read it before you send it.

        status.txt, status.json  how the box is, and what is wrong
        self-test.txt            what was tried
        configuration.toml       the settings
        database.txt, queue.txt  what the database holds by number, and what waits
        machine.txt              the machine and its disks
        log.txt                  the last lines of the log

        """

    private func status() -> [Page] {
        let report = StatusReport.gather(place, open: open)
        let data = (try? JSONEncoder.shown.encode(report)) ?? Data("null".utf8)
        return [
            Page(name: "status.txt", text: report.text + "\n"),
            Page(name: "status.json", text: String(decoding: data, as: UTF8.self) + "\n"),
        ]
    }

    private func configurationPage() -> Page {
        do {
            let text = try String(contentsOfFile: place.configPath, encoding: .utf8)
            return Page(name: "configuration.toml", text: SupportText.settings(text))
        } catch {
            return Page(
                name: "configuration.toml", text: "# \(place.configPath) can't be read: \(error.localizedDescription)\n"
            )
        }
    }

    /// What stands in the box's own files for passwords, PINs and tokens.
    private func secrets(in data: String?) -> Set<String> {
        func text(_ path: String) -> String {
            FileManager.default.contents(atPath: path).map { String(decoding: $0.prefix(1 << 16), as: UTF8.self) } ?? ""
        }
        let toml = text(place.configPath)
        let folder = URL(fileURLWithPath: place.configPath).deletingLastPathComponent()
        let files = toml.matches(of: /(?:password|pin)_file["']?\s*=\s*["']([^"']+)["']/).map {
            URL(fileURLWithPath: String($0.output.1), relativeTo: folder).path
        }
        let lines = files.compactMap { text($0).split(whereSeparator: \.isNewline).first.map(String.init) }
        let tokens = data.map { text($0 + "/server.tokens") } ?? ""
        return Set(lines + tokens.matches(of: /"([^"]{16,})"/).map { String($0.output.1) })
    }

    private func selfTest(_ configuration: Configuration?) async -> Page {
        guard let configuration else { return Page(name: "self-test.txt", text: "There is no configuration to try.\n") }
        var lines: [String] = []
        await SelfTest(configuration, isShort: true).run { lines.append($0.text) }
        return Page(name: "self-test.txt", text: lines.joined(separator: "\n") + "\n")
    }

    private func database(_ store: Store) throws -> Page {
        var lines = ["rows by table:"]
        lines += try store.support.rowCounts().map { "  \($0.table) \($0.rows)" }
        lines.append("steps of the schema:")
        lines += try store.support.migrations().map { "  \($0)" }
        let damage = try store.support.damage()
        lines.append("damage: " + (damage.isEmpty ? "none found" : damage.joined(separator: "; ")))
        lines.append("steps of the clock:")
        lines += try store.clock.steps().map { "  \($0.at.iso8601) moved by \($0.moved.seconds) s" }
        lines.append("turns of synchronization:")
        lines += try store.runs.list(limit: 30).map { "  \($0.finishedAt.iso8601) \(SyncFigures.Run($0).text)" }
        return Page(name: "database.txt", text: lines.joined(separator: "\n") + "\n")
    }

    private func queue(_ store: Store) throws -> Page {
        let lines = try store.queue.entries(in: [.pending, .inFlight, .failed], limit: 200).map { entry in
            "\(entry.id) \(entry.entity.rawValue) \(entry.status.rawValue) since \(entry.createdAt.iso8601), "
                + "tried \(entry.attempts) times" + (entry.lastError.map { ": \(LogText.of($0, limit: 500))" } ?? "")
        }
        return Page(
            name: "queue.txt", text: (lines.isEmpty ? ["Nothing waits."] : lines).joined(separator: "\n") + "\n")
    }

    private func machine(_ data: String?) -> Page {
        var commands = [
            ["/bin/uname", "-a"], ["/bin/cat", "/etc/os-release"], ["/usr/bin/uptime"], ["/usr/bin/free", "-m"],
            ["/bin/df", "-h"], ["/bin/df", "-i"], ["/usr/bin/timedatectl"], ["/usr/bin/lsusb"],
            ["/usr/bin/dpkg-query", "-W", "checkpost*", "libtesseract*", "libleptonica*", "liblept*", "ffmpeg"],
            ["/bin/systemctl", "status", "--no-pager", "--full", "checkpost"],
        ]
        if let data { commands += [["/bin/ls", "-la", data], ["/usr/bin/du", "-x", "-d", "1", "-h", data]] }
        let text = commands.map { command in
            "$ \(command.joined(separator: " "))\n"
                + BoundedProgram.run(command[0], Array(command.dropFirst()), seconds: 20).output
        }
        return Page(name: "machine.txt", text: text.joined(separator: "\n"))
    }

    private func log(_ data: String?) -> Page {
        let journal = BoundedProgram.run(
            "/bin/journalctl", ["-u", "checkpost", "-n", "5000", "--no-pager", "-o", "short-iso"], seconds: 30)
        let ring = data.map { LogRing.lines(RunFolder(dataFolder: $0)) } ?? []
        let text = (["the box's own last lines:"] + ring).joined(separator: "\n")
        return Page(name: "log.txt", text: text + "\n\n$ journalctl -u checkpost\n" + journal.output)
    }
}
