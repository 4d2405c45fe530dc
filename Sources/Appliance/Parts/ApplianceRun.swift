import Enforcement
import Foundation
import Logging

/// The appliance as a program: the supervisor, or one of the parts that it starts.
package struct ApplianceRun: Sendable {
    private let place: BoxPlace
    private let isClockSimulated: Bool

    /// - Parameter isClockSimulated: takes the times of pictures as right, as replay does.
    package init(place: BoxPlace, isClockSimulated: Bool) {
        self.place = place
        self.isClockSimulated = isClockSimulated
    }

    /// Watches over the parts, each a process of its own, until SIGTERM.
    package func supervise() async throws {
        let start = try begin()
        let configuration = start.configuration
        let lock = try RunLock(folder: configuration.dataFolder)
        defer { withExtendedLifetime(lock) {} }
        // What can't be ended now is ended at another start: recording goes on.
        var unended: String?
        do { try FactoryReset.goOn(configuration) } catch { unended = "\(error)" }
        let folder = RunFolder(dataFolder: configuration.dataFolder)
        var trouble: String?
        do {
            try folder.begin()
            if !RunFolder.write(start.text, to: folder.configuration) { trouble = String(cString: strerror(errno)) }
        } catch {
            trouble = error.localizedDescription
        }
        let words = SupervisorLog(folder)
        let level = Logger.Level(rawValue: configuration.logLevel) ?? .info
        LoggingSystem.bootstrap { _ in words.handler(level: level) }
        let log = Logger(label: "checkpost")
        // On a full disk it records as soon as there is room; nobody can see meanwhile how it is.
        if let unended { log.error("a factory reset that was begun can't be ended", metadata: ["error": "\(unended)"]) }
        if let trouble { log.error("the folder \(folder.path) can't be written", metadata: ["error": "\(trouble)"]) }
        // Before any part has it open: a damaged file is set aside here.
        try BoxDatabase.prepare(configuration, log: log) { start.tell($0) }
        let disk = DiskNews(configuration)
        if disk.hasMoved(running: .seconds(0)) {
            log.notice("the disk of the data folder went while the box began; it starts anew")
            disk.keepInMindWhatLiesBelow()
            Self.startAnew()
        }
        let parts = Self.parts(of: configuration)
        log.notice(
            "checkpost \(Version.text) starts",
            metadata: ["post": "\(configuration.post.code)", "parts": "\(parts.map(\.name))"])
        let ending = await withCheckedContinuation { continuation in
            let thread = Thread {
                let supervisor = Supervisor(parts: parts, folder: folder, words: words, log: log)
                if start.mistake == nil {
                    supervisor.onReady = { Self.keep(start.text, of: place.configPath, log) }
                }
                let ending = supervisor.run()
                continuation.resume(returning: ending)
            }
            thread.name = "supervisor"
            thread.start()
        }
        switch ending {
        case .stopped: break
        case .damagedDatabase:
            log.critical("the database can't be used any more; the box starts anew with another one")
            if configuration.dataFolder == configuration.homeFolder { DataHome(configuration).markIfGone() }
            Self.startAnew()
        case .diskHasMoved:
            let finding =
                switch DataHome(configuration).obstacle {
                case .away: "the disk of the data folder is away; the box starts anew"
                case .closed: "the data folder may not be written; the box starts anew"
                case .locked: "the data folder is encrypted and not open; the box starts anew"
                case .readOnly, nil: "the data folder is back; the box starts anew on it"
                }
            log.notice("\(finding)")
            disk.keepInMindWhatLiesBelow()
            // Its new process gets a new view of what is mounted; this one would keep its own.
            if ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] == nil { Self.startAnew() }
        }
        log.notice("checkpost stops")
    }

    /// This program once more in this process, so that whoever watches it sees none end. The lock and all other descriptors are let go of.
    private static func startAnew() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
    }

    private static func keep(_ text: Data, of path: String, _ log: Logger) {
        do {
            try KeptConfiguration(of: path).keep(text)
        } catch {
            log.warning(
                "the configuration can't be kept: a mistake in it would stop the box at its next start",
                metadata: ["configuration": "\(path)", "reason": "\(error)"])
        }
    }

    private static func parts(of configuration: Configuration) -> [Part] {
        var parts: [Part] = configuration.cameras.map { .camera($0.name) } + [.rounds]
        if configuration.server != nil { parts.append(.sync) }
        if configuration.hasTexts { parts.append(.sms) }
        if configuration.trigger != nil { parts.append(.trigger) }
        if configuration.peer != nil { parts.append(.peer) }
        if configuration.console != nil { parts.append(.console) }
        return parts
    }

    /// Is one of the parts, in the process that the supervisor started for it.
    ///
    /// - Parameters:
    ///   - data: the data folder of the supervisor.
    ///   - ends: how many runs of the part ended before this one.
    ///   - after: why the run before this one ended without being asked; nil when it didn't.
    package func run(_ part: Part, data: String?, ends: Int, after: String?) async throws {
        let configuration = try partConfiguration(part, data: data)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
            return EscapedLogHandler(handler)
        }
        FileLimit.raise()
        let desk = PartDesk(
            part: part, folder: RunFolder(dataFolder: configuration.dataFolder), after: after, pulse: .part,
            fault: PartFault(part: part.name, ends: ends))
        try await PartRun(
            desk: desk, configuration: configuration, log: Logger(label: "checkpost"),
            reread: { try self.configuration() }
        ).run()
    }

    /// With the folder to record in.
    private func begin() throws -> StartConfiguration {
        var start = try StartConfiguration(place)
        start.configuration = completed(start.configuration, dataFolder: start.configuration.dataFolder)
        if let database = place.database {
            start.configuration.dataFolder = URL(fileURLWithPath: database).deletingLastPathComponent().path
            start.configuration.homeFolder = start.configuration.dataFolder
            start.configuration.spareFolder = nil
        }
        start.configuration.dataFolder = try DataHome(start.configuration).settle()
        return start
    }

    private func configuration() throws -> Configuration {
        completed(try place.configuration(), dataFolder: try place.dataFolder())
    }

    private func completed(_ configuration: Configuration, dataFolder: String) -> Configuration {
        var configuration = configuration
        configuration.dataFolder = dataFolder
        configuration.isClockSimulated = isClockSimulated
        return configuration
    }

    /// The configuration as it was when the appliance started: somebody may be at work on the file when a part has to come back.
    private func partConfiguration(_ part: Part, data: String?) throws -> Configuration {
        guard let data, let copy = FileManager.default.contents(atPath: RunFolder(dataFolder: data).configuration)
        else { return try configuration() }
        let path = URL(fileURLWithPath: place.configPath)
        var configuration = completed(
            try ConfigurationReader.read(
                text: String(decoding: copy, as: UTF8.self), path: path.path,
                relativeTo: path.deletingLastPathComponent().path),
            dataFolder: data)
        // This one follows the file anyhow, when it is told to. A file that is wrong now leaves it as it was at the start.
        if part == .sync, let now = try? self.configuration() { configuration.sync = now.sync }
        return configuration
    }
}
