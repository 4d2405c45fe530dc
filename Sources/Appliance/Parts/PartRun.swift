import CLinux
import Console
import Enforcement
import Foundation
import Logging
import ServiceLifecycle
import Storage

/// Runs one part of the appliance, in the process that the supervisor has started for it.
package struct PartRun: Sendable {
    let desk: PartDesk
    package let configuration: Configuration
    package let log: Logger

    /// Reads the configuration's file again.
    let reread: @Sendable () throws -> Configuration

    /// Ties this process to its supervisor; the first thing that it does.
    ///
    /// - Returns: false when it was not started by one.
    package static func begin(_ part: Part, supervisor: Int32) -> Bool {
        guard checkpost_die_with(supervisor, "checkpost") != 0 else { return false }
        _ = fcntl(PartPulse.partDescriptor, F_SETFD, FD_CLOEXEC)
        signal(SIGHUP, SIG_IGN)
        signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        // When the machine's memory is used up, what records goes last, and the supervisor after it.
        let share =
            switch part {
            case .camera: 100
            case .rounds: 200
            case .trigger: 250
            case .sms: 300
            case .peer: 350
            case .sync: 400
            case .console: 500
            }
        try? "\(share)".write(toFile: "/proc/self/oom_score_adj", atomically: false, encoding: .utf8)
        return true
    }

    /// Returns after SIGTERM, when what was in hand is done.
    package func run() async throws {
        desk.fault.strike(.start)
        let lock = try PartLock(path: desk.folder.lock(of: desk.part))
        defer { withExtendedLifetime(lock) {} }
        let database = try BoxDatabase.open(configuration, desk, log: log)
        if [.sync, .sms, .peer].contains(desk.part) { try await MachineGate(database, desk: desk, log: log).pass() }
        var group = ServiceGroupConfiguration(
            services: try services(database).map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm],
            logger: log)
        group.maximumGracefulShutdownDuration = .seconds(4)
        try await ServiceGroup(configuration: group).run()
        try database.close()
    }

    private func services(_ store: Store) throws -> [any Service] {
        let alarms = AlarmBoard(store: store, log: log)
        let photos = PhotoStore(folder: URL(fileURLWithPath: configuration.dataFolder))
        switch desk.part {
        case .camera(let name):
            guard let camera = configuration.cameras.first(where: { $0.name == name }) else {
                throw AdvisedError("No camera is called \(name).", hint: "Restart the appliance.")
            }
            return [
                CameraService(
                    camera: camera, configuration: configuration, store: store, photos: photos, alarms: alarms,
                    desk: desk, log: log)
            ]
        case .rounds:
            if !configuration.hasTexts { SMSFallback.forgetAlarms(alarms) }
            let housekeeping = HousekeepingService(
                configuration: configuration, store: store, photos: photos, alarms: alarms, desk: desk, log: log)
            // With a server its part reads the file again and says so.
            let reload = ReloadService(read: reread, apply: { _ in }, log: log)
            return configuration.server == nil ? [housekeeping, reload] : [housekeeping]
        case .sync:
            guard let sync = try ApplianceSync.makeService(configuration, store: store, fault: desk.fault, log: log)
            else { throw AdvisedError("No server is configured.", hint: "Restart the appliance.") }
            let service = SynchronizationService(
                sync, configuration: configuration, store: store, desk: desk, alarms: alarms, log: log)
            return [service, ReloadService(read: reread, apply: { service.reload($0) }, log: log)]
        case .sms:
            let link: any DataLink =
                configuration.server == nil ? NoDataLink() : DataLinkNews(folder: desk.folder, store: store)
            guard let sms = try SMSFallback(configuration, store: store, link: link, alarms: alarms, log: log) else {
                throw AdvisedError("No modem and no direct link is configured.", hint: "Restart the appliance.")
            }
            return [sms, SMSPart(sms: sms, desk: desk)]
        case .trigger:
            guard let trigger = configuration.trigger else {
                throw AdvisedError("No trigger is configured.", hint: "Restart the appliance.")
            }
            return [TriggerService(trigger, configuration, store: store, alarms: alarms, desk: desk, log: log)]
        case .peer:
            guard let peer = configuration.peer else {
                throw AdvisedError("No direct link is configured.", hint: "Restart the appliance.")
            }
            return [PeerService(peer, configuration, store: store, alarms: alarms, desk: desk, log: log)]
        case .console:
            return try consoleServices(store, photos, alarms)
        }
    }

    private func consoleServices(
        _ store: Store, _ photos: PhotoStore, _ alarms: AlarmBoard
    ) throws -> [any Service] {
        guard let settings = configuration.console else {
            throw AdvisedError("No console is configured.", hint: "Restart the appliance.")
        }
        let pictures = ApplianceSync.makePictureFetcher(configuration, store: store)
        let host = ApplianceHost(
            configuration: configuration, store: store, folder: desk.folder, pictures: pictures, log: log)
        let console = Console(
            configuration: settings, post: configuration.post, otherPost: configuration.otherPostCode, store: store,
            photos: photos, host: host,
            live: LivePictures(reading: URL(fileURLWithPath: desk.folder.path)), log: log)
        let services: [any Service] = [
            ConsoleService(console), ConsolePart(configuration: settings, alarms: alarms, desk: desk),
        ]
        return services + (pictures.map { [PictureService(fetcher: $0)] } ?? [])
    }
}
