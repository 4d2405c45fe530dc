import Enforcement
import Foundation
import Logging
import MachineClock
import PeerLink
import ServiceLifecycle
import Storage

/// The direct link to the other post: it is listened to, and asked.
///
/// Returns after a graceful shutdown.
struct PeerService: Service {
    private let settings: Configuration.PeerSettings
    private let loop: PeerLoop
    private let answers: PeerAnswers
    private let alarms: AlarmBoard
    private let desk: PartDesk
    private let log: Logger

    private static let tellInterval = Duration.seconds(2)

    init(
        _ settings: Configuration.PeerSettings, _ configuration: Configuration, store: Store, alarms: AlarmBoard,
        desk: PartDesk, log: Logger
    ) {
        (self.settings, self.alarms, self.desk, self.log) = (settings, alarms, desk, log)
        answers = PeerAnswers(
            configuration: configuration, store: store, contact: PeerContact(), log: log,
            time: configuration.hostTime(store),
            shelf: PeerPhotoShelf(store),
            relay: PeerRelay(
                to: settings.relays ? configuration.server.flatMap { ServerPlace(url: $0.url) } : nil, store: store,
                log: log),
            mailbox: PeerMailbox(isOpen: settings.relays && configuration.server != nil, store: store, log: log))
        loop = PeerLoop(settings, configuration, store: store, alarms: alarms, desk: desk, log: log)
    }

    func run() async throws {
        let listener = PeerListener(
            address: settings.address, port: settings.port, desk: answers, now: { MachineClock.uptime }, log: log
        ) { [alarms] trouble in
            guard let trouble else { return alarms.clear("peer.port") }
            alarms.raise(
                "peer.port", .warning, "The other post can't reach this one: \(trouble).",
                hint: "`ss -ltnp` names what listens there. Give [peer] an address of this machine and a free port.")
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await listener.run() }
            group.addTask { await cancelWhenGracefulShutdown { await tell() } }
            group.addTask {
                await OwnThread.run("peer", onStop: { loop.cancellation.cancel() }) { goesOn in
                    loop.run(while: goesOn)
                }
            }
        }
    }

    /// A question waits long; how the link is, is said all the same.
    private func tell() async {
        while !Task.isCancelled {
            PartNews(peer: loop.report).write(of: .peer, to: desk.folder)
            try? await Task.sleep(for: Self.tellInterval)
        }
    }
}
