import Enforcement
import Foundation
import Logging
import MachineClock
import ServiceLifecycle
import Storage
import Synchronization
import Synchronizer

/// Keeps the post and the server in step, beside the cameras.
///
/// Returns after a graceful shutdown, when the request under way has ended.
final class SynchronizationService: Service {
    private let sync: SyncService
    private let store: Store
    private let folder: String
    private let desk: PartDesk
    private let alarms: AlarmBoard
    private let log: Logger
    private let fileSettings: Mutex<SyncSettings>
    /// What the log last said that the office has set.
    private let told = Mutex("")
    private let ownLink = Mutex(OwnLinkWatch())

    private static let lookInterval = Duration.seconds(1)

    init(
        _ sync: SyncService, configuration: Configuration, store: Store, desk: PartDesk, alarms: AlarmBoard,
        log: Logger
    ) {
        self.sync = sync
        self.store = store
        self.desk = desk
        self.alarms = alarms
        self.log = log
        folder = configuration.dataFolder
        fileSettings = Mutex(configuration.sync)
    }

    /// Takes over what a changed file says of `[sync]`.
    func reload(_ configuration: Configuration) {
        fileSettings.withLock { $0 = configuration.sync }
        applySettings()
    }

    func run() async throws {
        applySettings()
        sync.start()
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.followSettings() }
                group.addTask { await self.lookAround() }
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.sync.stop()
                continuation.resume()
            }
        }
    }

    /// The engine stores what the server has set for this post.
    private func followSettings() async {
        for await change in store.changes() where change.contains(.setting) { applySettings() }
    }

    private func applySettings() {
        do {
            let file = fileSettings.withLock { $0 }
            let office = try ServerSettings(store)
            let (settings, problems) = SyncTuning.settings(of: file, under: office)
            tell(office)
            sync.apply(settings)
            if problems.isEmpty {
                alarms.clear("sync.settings")
            } else {
                alarms.raise(
                    "sync.settings", .warning,
                    "Settings of the server for this post can't stand: \(problems.joined(separator: "; ")).",
                    hint: "Correct them at the server; the others hold.")
            }
        } catch {
            log.error("the settings could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Whoever wonders why a post does not do what its file says finds it in the log.
    private func tell(_ office: ServerSettings) {
        let text = String(office.text.prefix(1000))
        let isNew = told.withLock { last in
            defer { last = text }
            return last != text
        }
        guard isNew else { return }
        log.notice(
            "what the park's office has set for this post, over the file",
            metadata: ["settings": "\(text.isEmpty ? "nothing" : text)"])
    }

    /// Answers `checkpost sync --now`, and puts into the log and the alarms what changes.
    private func lookAround() async {
        var previous: SyncState?
        var awaited: Int?
        desk.beat(PartNews())
        while !Task.isCancelled {
            if awaited == nil, SyncRequestFile.isThere(folder: folder) { awaited = sync.syncNow() }
            let state = sync.state
            report(state, after: previous)
            // The engine has a thread of its own: that this loop turns shows nothing of it.
            if state.turns != previous?.turns { desk.beat() }
            PartNews(link: LinkReport(state)).write(of: .sync, to: desk.folder)
            previous = state
            if let request = awaited, state.answeredRequests >= request {
                awaited = nil
                SyncRequestFile.remove(folder: folder)
            }
            try? await Task.sleep(for: Self.lookInterval)
        }
    }

    private func tellOwnLink(_ state: SyncState) {
        let change = ownLink.withLock {
            $0.look(
                isOnline: state.level == .online, isThroughPeer: state.isThroughPeer, at: MachineClock.uptime)
        }
        switch change {
        case .isDown:
            alarms.raise(
                "sync.ownLink", .warning,
                "This box's own link to the server is down: records go through another box, photos wait.",
                hint: "Check the data link: the modem or router, its SIM and its credit.")
        case .isBack: alarms.clear("sync.ownLink")
        case nil: break
        }
    }

    private func report(_ state: SyncState, after previous: SyncState?) {
        if state.level != previous?.level {
            if state.level == .online {
                log.notice("the server answers")
                alarms.clear("sync.offline")
            } else if previous != nil {
                log.notice("the server is out of reach", metadata: ["level": "\(state.level.rawValue)"])
            }
            if state.level == .sms, let since = state.offlineSince {
                alarms.raise(
                    "sync.offline", .warning,
                    "The server has been out of reach since \(since.nepalText).",
                    hint: "Check the data link. Everything is recorded here and sent when the server answers.")
            }
        }
        tellOwnLink(state)
        if state.isTold != previous?.isTold ?? false {
            log.info(
                state.isTold
                    ? "the server tells of changes at once"
                    : "the server tells of changes no more; it is asked again and again")
        }
        if let reason = state.pauseReason, reason != previous?.pauseReason {
            log.critical("nothing is sent to the server", metadata: ["reason": "\(reason)"])
        }
        if let failure = state.storeFailure, failure != previous?.storeFailure {
            log.error("the synchronization failed; it is tried again", metadata: ["error": "\(failure)"])
        }
        if state.lastCycleAt != previous?.lastCycleAt {
            do {
                try checkRefused()
                try checkCycles(state)
            } catch {
                // These alarms stay as they were until the next cycle, half a minute from now.
                log.error("what the cycle came to can't be read", metadata: ["error": "\(error)"])
            }
        }
    }

    /// A server that answers and whose answers are of no use is worth an alarm; one that is out of reach has its own.
    private func checkCycles(_ state: SyncState) throws {
        guard state.level == .online else { return }
        switch CycleAlarm(failures: try store.runs.list(limit: CycleAlarm.badCycles).map(\.failure)) {
        case .raise(let failure):
            alarms.raise(
                "sync.cycle", .warning, "The server answers, but cycles end early: \(failure)",
                hint: "Records are kept here. Tell the park's administrator.")
        case .clear: alarms.clear("sync.cycle")
        case .leave: break
        }
    }

    private func checkRefused() throws {
        let refused = try store.queue.refusedCount()
        if refused > 0 {
            alarms.raise(
                "sync.refused", .warning, "The server refuses \(refused == 1 ? "a record" : "\(refused) records").",
                hint:
                    "`checkpost queue list --failed` says which and why; `checkpost queue retry` sends one again, `checkpost queue "
                    + "discard` puts away one that the server will never have.")
        } else {
            alarms.clear("sync.refused")
        }
    }
}
