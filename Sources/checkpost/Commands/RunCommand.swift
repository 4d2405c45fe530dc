import ArgumentParser
import Console
import Enforcement
import Foundation
import Logging
import ServiceLifecycle
import Storage

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Be the appliance: cameras in, passages out, until SIGTERM.",
        discussion: """
            Reads the configuration, watches its cameras, records passages in the data folder, and matches them. With [server] \
            in the configuration it sends them to the park's server and fetches what the other post recorded. On SIGTERM \
            or SIGINT it finishes the frame in hand and stops within 5 seconds; on SIGHUP it reads [sync] again. \
            `checkpost status` says how it is.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Take the times of pictures as right, as replay does: for a demonstration, never at a road.")
    var simulatedClock = false

    func run() async throws {
        let configuration = try configuration()
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
            return MultiplexLogHandler([handler, LogMemory.shared.handler(level: handler.logLevel)])
        }
        let log = Logger(label: "checkpost")
        FileLimit.raise()
        try makeFolder(configuration.dataFolder)
        let lock = try RunLock(folder: configuration.dataFolder)
        defer { withExtendedLifetime(lock) {} }
        let opening = try BoxDatabase.open(configuration, log: log)
        let database = opening.store
        let photos = PhotoStore(folder: URL(fileURLWithPath: configuration.dataFolder))
        let sync = opening.isWaiting ? nil : try ApplianceSync.makeService(configuration, store: database, log: log)
        let board = StatusBoard(folder: configuration.dataFolder, sync: sync)
        let alarms = AlarmBoard(store: database, log: log)
        opening.report(to: alarms)
        let synchronization = sync.map {
            SynchronizationService(
                $0, configuration: configuration, store: database, board: board, alarms: alarms, log: log)
        }
        let reload = ReloadService(
            read: { try self.configuration() }, apply: { synchronization?.reload($0) }, log: log)
        let housekeeping = HousekeepingService(
            configuration: configuration, store: database, photos: photos, board: board, alarms: alarms,
            notifier: SystemdNotifier(), log: log)
        let live = LivePictures()
        let pictures = configuration.console == nil ? nil : ApplianceSync.makePictureFetcher(configuration)
        let console = configuration.console.map {
            let host = ApplianceHost(
                configuration: configuration, store: database, board: board, sync: sync, pictures: pictures)
            return ConsoleService(
                Console(
                    configuration: $0, post: configuration.post, store: database, photos: photos, host: host,
                    live: live,
                    log: log))
        }
        let cameras = configuration.cameras.map {
            CameraService(
                camera: $0, configuration: configuration, store: database, photos: photos, board: board, alarms: alarms,
                live: console == nil ? nil : live, log: log)
        }
        let sms = try SMSFallback(
            configuration, store: database, link: sync ?? NoDataLink(), alarms: alarms, log: log)
        if let sms { await board.add(sms) }
        log.notice(
            "checkpost \(Version.text) starts",
            metadata: ["post": "\(configuration.post.code)", "cameras": "\(configuration.cameras.map(\.name))"])
        var all: [any Service] = cameras
        all.append(housekeeping)
        all.append(reload)
        if opening.isWaiting { all.append(EmergencyStart(store: database, log: log)) }
        if let synchronization { all.append(synchronization) }
        if let sms { all.append(sms) }
        if let console { all.append(console) }
        if let pictures { all.append(PictureService(fetcher: pictures)) }
        var services = ServiceGroupConfiguration(
            services: all.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
        services.maximumGracefulShutdownDuration = .seconds(4)
        try await ServiceGroup(configuration: services).run()
        try database.close()
        log.notice("checkpost stops")
    }

    private func configuration() throws -> Configuration {
        var configuration = try store.configuration()
        configuration.dataFolder = try store.dataFolder()
        configuration.isClockSimulated = simulatedClock
        return configuration
    }

    private func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError(
                "The data folder \(path) can't be made: \(error.localizedDescription)",
                hint: "Make it and give it to the user that runs checkpost, or set data.folder.")
        }
    }
}
