import Enforcement
import Foundation
import HTTPClient
import Logging
import MachineClock
import PeerLink
import Storage
import Synchronization

/// Asks the other post what is new there, and takes it in: one question after the other, each of which waits at the other end until there
/// is something to tell.
final class PeerLoop: Sendable {
    /// So many words about passages at once, and so many an hour after that. No road has as many; a box that was stolen might.
    private static let hourly = 20_000

    /// Of matching after an answer; the rounds do what is left.
    private static let matchingSteps = 10

    private let settings: Configuration.PeerSettings
    private let configuration: Configuration
    private let store: Store
    private let alarms: AlarmBoard
    private let desk: PartDesk
    private let contact: PeerContact
    private let log: Logger
    private let time: @Sendable () -> StampedState
    let cancellation = HTTPCancellation()
    private let told = Mutex(PeerReport())

    init(
        _ settings: Configuration.PeerSettings, _ configuration: Configuration, store: Store, alarms: AlarmBoard,
        desk: PartDesk, contact: PeerContact, log: Logger
    ) {
        (self.settings, self.configuration, self.store, self.alarms) = (settings, configuration, store, alarms)
        (self.desk, self.contact, self.log) = (desk, contact, log)
        time = configuration.hostTime(store)
    }

    var report: PeerReport { told.withLock { $0 } }

    private static let noClock = "this box's clock can't be believed yet"

    /// What lasts from one question to the next.
    private struct Course {
        var caller: (caller: PeerCaller, key: PeerKey)?
        var allowance = Allowance(atOnce: hourly, perSecond: Double(hourly) / 3600)
        var failures = 0
        /// When it was heard last, or this began to ask, by the time since the machine started.
        var heardAt = MachineClock.uptime
        var peer = ""
        var reviews: (digest: String, waiting: [WaitingSighting])?
    }

    func run(while goesOn: () -> Bool) {
        // What the run before said was its own: what still is so is said again.
        clear(["silent", "refused", "key"])
        var course = Course()
        while goesOn() {
            desk.fault.strike(.work)
            var pause = Duration.seconds(1)
            do {
                pause = try turn(&course)
            } catch {
                log.error("the other post can't be asked now", metadata: ["error": "\(error)"])
                pause = .seconds(10)
            }
            desk.beat()
            let end = ContinuousClock.now + pause
            while ContinuousClock.now < end, goesOn() { usleep(200_000) }
        }
    }

    /// - Returns: how long to wait before the next.
    private func turn(_ course: inout Course) throws -> Duration {
        guard let identity = try identity() else { return .seconds(10) }
        // A clock that is years off would take all that it is told for nonsense, and never hear it again.
        guard time().clockState != .untrusted else {
            stand(.waiting, try store.peers.active(of: configuration.otherPostCode), trouble: Self.noClock)
            return .seconds(5)
        }
        guard let peer = try store.peers.active(of: configuration.otherPostCode),
            let key = PeerKey(text: peer.publicKey)
        else {
            stand(.unpaired, nil)
            clear(["silent", "refused"])
            contact.note(false)
            return .seconds(1)
        }
        if course.peer != peer.publicKey {
            (course.peer, course.heardAt, course.failures, course.reviews) = (
                peer.publicKey, MachineClock.uptime, 0, nil
            )
        }
        guard let address = peer.address else {
            stand(.waiting, peer)
            return .seconds(1)
        }
        if report.state != .connected { stand(course.failures == 0 ? .waiting : report.state, peer) }
        if course.caller?.key != identity.publicKey {
            course.caller = (
                PeerCaller(as: identity, cancellation: cancellation) { MachineClock.uptime }, identity.publicKey
            )
        }
        guard let caller = course.caller?.caller else { return .seconds(1) }
        let question = PeerQuestion(
            after: peer.mark, reviews: course.reviews?.digest,
            waitSeconds: course.failures == 0 ? PeerAnswers.longestWait : 0, port: settings.port)
        do {
            let answer = try caller.ask(
                JSONEncoder().encode(PeerAsk(news: question)), of: key, at: address,
                wait: .seconds(Double(question.waitSeconds)))
            return try take(answer, of: peer, &course)
        } catch let failure as PeerFailure {
            return fail(failure, peer, &course)
        }
    }

    private func take(_ answer: Data, of peer: Peer, _ course: inout Course) throws -> Duration {
        // It may have been taken back meanwhile: then its word counts no more.
        guard try store.peers.active(of: configuration.otherPostCode)?.publicKey == peer.publicKey else {
            return .seconds(0)
        }
        let now = BoxClock.now
        let news: PeerNews
        do {
            news = try JSONDecoder().decode(PeerNews.self, from: answer)
        } catch {
            throw AdvisedError(
                "The other post's answer makes no sense: \(error)", hint: "Is its program another version?")
        }
        let words = try news.words(of: configuration.otherPostCode, in: store, at: now)
        let uptime = MachineClock.uptime
        guard words.allSatisfy({ _ in course.allowance.take(at: uptime) }) else {
            log.warning("the other post tells of more passages than any road has; it is asked again in a minute")
            return .seconds(60)
        }
        var taken = PassageImport.Taken()
        if !words.isEmpty || news.reviews != nil {
            try PassageImport(store: store, configuration: configuration).take(
                words, reviews: news.reviews(knowing: &course.reviews, at: now), isComplete: !news.hasMore,
                into: &taken,
                steps: Self.matchingSteps, at: now)
        }
        if news.upTo != peer.mark { try store.peers.keep(mark: news.upTo, of: peer.publicKey) }
        (course.failures, course.heardAt) = (0, uptime)
        contact.note(true)
        stand(.connected, peer, took: words.count)
        clear(["silent", "refused"])
        for violation in taken.violations {
            log.notice("violation", metadata: ["plate": "\(violation.plate)", "kind": "\(violation.kind.rawValue)"])
        }
        return .seconds(0)
    }

    private func fail(_ failure: PeerFailure, _ peer: Peer, _ course: inout Course) -> Duration {
        if cancellation.isCancelled { return .seconds(0) }
        // A conversation that is over is begun anew at once.
        if failure.refusal == .session, course.failures == 0 {
            course.failures = 1
            return .seconds(0)
        }
        course.failures += 1
        let isRefused = failure.refusal == .unknown || failure.isStranger
        let silence = MachineClock.uptime - course.heardAt
        if course.failures > 1 {
            stand(isRefused ? .refused : .silent, peer, trouble: failure.description)
            contact.note(false)
        }
        if course.failures > 3, isRefused {
            alarms.raise(
                "peer.refused", .warning, "The other post doesn't answer this one: \(failure.description).",
                hint:
                    "Look there with `checkpost peer list`, and pair the two anew: `checkpost peer pair` at one, `checkpost peer join` at the "
                    + "other. The server and SMS are used all the same.")
        }
        if silence >= settings.silentAfter {
            alarms.raise(
                "peer.silent", .warning,
                "The other post has not been heard for \(Wording.span(silence)): \(failure.description).",
                hint:
                    "Look at the radio or the cable between the posts, and at `checkpost peer list`. The server and SMS are used all the same."
            )
        }
        return .seconds(
            Backoff(firstDelay: .seconds(1), longestDelay: .seconds(15))
                .delay(attempt: course.failures, random: .random(in: 0...1)).seconds)
    }

    private func identity() throws -> PeerIdentity? {
        do {
            try PeerKeeper(store).prepare()
            let identity = try PeerKeeper(store).identity()
            clear(["key"])
            return identity
        } catch let error as AdvisedError {
            alarms.raise("peer.key", .warning, error.message, hint: error.hint)
            stand(.waiting, nil, trouble: error.message)
            contact.note(false)
            return nil
        }
    }

    private func stand(_ state: PeerReport.State, _ peer: Peer?, trouble: String? = nil, took: Int = 0) {
        told.withLock {
            ($0.state, $0.post, $0.address, $0.trouble) = (state, peer?.code, peer?.address, trouble)
            $0.taken += took
            if state == .connected { $0.lastHeardAt = BoxClock.now }
        }
    }

    private func clear(_ names: [String]) { for name in names { alarms.clear("peer.\(name)") } }
}
