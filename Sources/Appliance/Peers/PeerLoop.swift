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
    private static let leastPause = Duration.seconds(1)

    /// While nothing is taken.
    private static let apartPause = Duration.seconds(15)

    private let settings: Configuration.PeerSettings
    private let configuration: Configuration
    private let store: Store
    private let alarms: AlarmBoard
    private let desk: PartDesk
    private let log: Logger
    private let time: @Sendable () -> StampedState
    let cancellation = HTTPCancellation()
    private let told = Mutex(PeerReport())

    init(
        _ settings: Configuration.PeerSettings, _ configuration: Configuration, store: Store, alarms: AlarmBoard,
        desk: PartDesk, log: Logger
    ) {
        (self.settings, self.configuration, self.store, self.alarms) = (settings, configuration, store, alarms)
        (self.desk, self.log) = (desk, log)
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
        var peer: Peer?
        var reviews: (digest: String, waiting: [WaitingSighting])?
        var comparison: PeerComparison
        /// Whether words could not be read, and it is told.
        var isUnread = false

        /// With another box, or with none: what was told of the one before is so no more.
        mutating func begin(_ alarms: AlarmBoard) {
            comparison.begin()
            if isUnread { clearUnread(alarms) }
        }

        mutating func clearUnread(_ alarms: AlarmBoard) {
            alarms.clear("peer.unread")
            isUnread = false
        }

    }

    func run(while goesOn: () -> Bool) {
        // What the run before said was its own: what still is so is said again.
        clear(["silent", "refused", "key", "unread", "clock", "road"])
        var course = Course(comparison: PeerComparison(of: settings, alarms))
        do { try store.peers.hearUnreadAgain() } catch {
            log.error("peers can't be read", metadata: ["error": "\(error)"])
        }
        while goesOn() {
            desk.fault.strike(.work)
            var pause = Duration.seconds(1)
            do {
                pause = try turn(&course)
            } catch {
                let words = (error as? AdvisedError)?.message ?? "\(error)"
                if report.trouble != words {
                    log.error("what the other post tells can't be taken", metadata: ["error": "\(words)"])
                }
                fail(PeerFailure(words), &course)
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
        let peer = try store.peers.active(of: configuration.otherPostCode)
        guard let peer, let key = PeerKey(text: peer.publicKey) else {
            (course.peer, course.failures) = (nil, 0)
            course.begin(alarms)
            let stranger = try store.peers.active().map {
                "this post is paired with \($0.code), and other_code in the configuration is \(configuration.otherPostCode)"
            }
            let isNew = report.trouble != stranger
            stand(.unpaired, nil, trouble: stranger)
            if let stranger, isNew {
                alarms.raise(
                    "peer.refused", .warning, "The direct link rests: \(stranger).",
                    hint:
                        "Mend other_code, or end the pairing with `checkpost peer revoke` and pair with the other one.")
            }
            return .seconds(1)
        }
        if course.peer?.publicKey != peer.publicKey {
            (course.heardAt, course.failures, course.reviews) = (MachineClock.uptime, 0, nil)
            course.begin(alarms)
        }
        course.peer = peer
        // A clock that is years off would take all that it is told for nonsense, and never hear it again.
        guard time().clockState != .untrusted else {
            stand(.waiting, peer, trouble: Self.noClock)
            return .seconds(5)
        }
        // The typed one and the one that it spoke from last, in turn.
        let addresses = peer.addresses
        guard !addresses.isEmpty else {
            stand(.waiting, peer)
            return .seconds(1)
        }
        let address = addresses[course.failures % addresses.count]
        if report.state == .unpaired { stand(.waiting, peer) }
        if course.caller?.key != identity.publicKey {
            course.caller = (
                PeerCaller(as: identity, cancellation: cancellation) { MachineClock.uptime }, identity.publicKey
            )
        }
        guard let caller = course.caller?.caller else { return .seconds(1) }
        let question = PeerQuestion(
            after: peer.mark, outcomesAfter: peer.outcomeMark, reviews: course.reviews?.digest,
            waitSeconds: course.failures == 0 ? PeerAnswers.longestWait : 0, port: settings.port)
        do {
            let began = MachineClock.uptime
            let answer = try caller.ask(
                JSONEncoder().encode(PeerAsk(news: question)), of: key, at: address,
                wait: .seconds(Double(question.waitSeconds)))
            let (now, took) = (BoxClock.now, MachineClock.uptime - began)
            let hasWords = try take(answer, at: now, after: took, of: peer, at: address, &course)
            if course.comparison.isApart { return Self.apartPause }
            // One that answers at once, and tells nothing, is not asked again at once.
            return hasWords ? .seconds(0) : max(.seconds(0), Self.leastPause - .milliseconds(took.milliseconds))
        } catch let failure as PeerFailure {
            // A conversation that is over is begun anew at once.
            if failure.refusal == .session, course.failures == 0 {
                course.failures = 1
                return .seconds(0)
            }
            fail(failure, &course)
            return .seconds(
                Backoff(firstDelay: .seconds(1), longestDelay: .seconds(15))
                    .delay(attempt: course.failures, random: .random(in: 0...1)).seconds)
        }
    }

    /// - Returns: whether it told of passages.
    private func take(
        _ answer: Data, at now: Instant, after took: TimeSpan, of peer: Peer, at address: String,
        _ course: inout Course
    ) throws -> Bool {
        // It may have been taken back meanwhile: then its word counts no more. Or all is to be heard anew: then a part of it says too little.
        let current = try store.peers.active(of: configuration.otherPostCode)
        guard current?.publicKey == peer.publicKey, current?.mark == peer.mark else { return false }
        guard let news = try? JSONDecoder().decode(PeerNews.self, from: answer),
            !news.hasMore || news.upTo != peer.mark, news.upTo >= 0, news.outcomesUpTo ?? 0 >= 0
        else {
            throw AdvisedError(
                "the other post's answer makes no sense: its program is of another version", hint: "Update both boxes.")
        }
        let uptime = MachineClock.uptime
        try course.comparison.compareRoad(RoadTerms(store, configuration), with: news.terms?.value, at: uptime)
        if let apart = course.comparison.compareClocks(news.terms?.value, at: now, took: took) {
            (course.failures, course.heardAt) = (0, uptime)
            stand(.waiting, peer, address: address, trouble: apart, isHeard: true)
            return false
        }
        let (words, unread) = try news.words(of: configuration.otherPostCode, in: store, at: now)
        let doings = news.doings(at: now)
        let count = words.count + doings.count
        guard (0..<count).allSatisfy({ _ in course.allowance.take(at: uptime) }) else {
            throw AdvisedError("the other post tells of more passages than any road has", hint: "")
        }
        var taken = PassageImport.Taken()
        if !words.isEmpty || news.reviews != nil {
            // What can't be read may be anybody's passage.
            try PassageImport(store: store, configuration: configuration).take(
                words, reviews: news.reviews(knowing: &course.reviews, at: now),
                isComplete: !news.hasMore && unread == 0 && peer.unread == 0, since: Instant(milliseconds: news.since),
                into: &taken, steps: Self.matchingSteps, at: now)
        }
        let isNews = news.upTo != peer.mark || unread > 0
        let counts =
            try isNews
            ? store.peers.keep(mark: news.upTo, after: peer.mark, unread: unread, of: peer.publicKey)
            : store.peers.active().map { $0.publicKey != peer.publicKey || $0.mark == peer.mark } ?? true
        // All is to be heard anew since it was asked: what was said of being complete is not so.
        if !counts { try store.fetched.beginAnew([], otherPostToo: true) }
        try store.violations.takeIn(doings, at: now)
        if !doings.isEmpty { try store.violations.settleTold(at: now) }
        if let upTo = news.outcomesUpTo {
            try store.peers.keep(outcomeMark: upTo, after: peer.outcomeMark, of: peer.publicKey)
        }
        (course.failures, course.heardAt) = (0, uptime)
        stand(.connected, peer, address: address, took: words.count)
        if course.isUnread, unread + peer.unread == 0 { course.clearUnread(alarms) }
        if unread + peer.unread > 0 {
            course.isUnread = true
            alarms.raise(
                "peer.unread", .warning,
                "\(Wording.count(unread + peer.unread, "passage")) of the other post can't be read here: no overstay is judged by its word.",
                hint: "The two boxes are of different versions: update both. What could not be read is told again then."
            )
        }
        for violation in taken.violations {
            log.notice("violation", metadata: ["plate": "\(violation.plate)", "kind": "\(violation.kind.rawValue)"])
        }
        return !words.isEmpty || !doings.isEmpty
    }

    private func fail(_ failure: PeerFailure, _ course: inout Course) {
        guard !cancellation.isCancelled else { return }
        course.failures += 1
        let silence = MachineClock.uptime - course.heardAt
        let isRefused = failure.refusal == .unknown
        if course.failures > 1 {
            stand(isRefused ? .refused : .silent, course.peer, trouble: failure.description)
        }
        if course.failures > 3, isRefused {
            alarms.raise(
                "peer.refused", .warning, "The other post doesn't answer this one: \(failure.description).",
                hint:
                    "Look there with `checkpost peer list`, and pair the two anew: `checkpost peer pair` at one, `checkpost peer join` at the "
                    + "other. \(Self.others)")
        }
        if silence >= settings.silentAfter, !isRefused {
            alarms.raise(
                "peer.silent", .warning,
                "The other post has not been heard for \(Wording.span(silence)): \(failure.description).",
                hint: failure.isStranger
                    ? "Something else is at that address: `checkpost peer address` says where the other post is. \(Self.others)"
                    : "Look at the radio or the cable between the posts, and at `checkpost peer list`. \(Self.others)")
        }
    }

    static let others = "A server and SMS, where this box has them, are used all the same."

    private func identity() throws -> PeerIdentity? {
        do {
            try PeerKeeper(store).prepare()
            let identity = try PeerKeeper(store).identity()
            clear(["key"])
            return identity
        } catch let error as AdvisedError {
            alarms.raise("peer.key", .warning, error.message, hint: error.hint)
            stand(.waiting, nil, trouble: error.message)
            return nil
        }
    }

    private func stand(
        _ state: PeerReport.State, _ peer: Peer?, address: String? = nil, trouble: String? = nil, took: Int = 0,
        isHeard: Bool = false
    ) {
        let isHeard = isHeard || state == .connected
        let former = told.withLock { told in
            defer {
                (told.state, told.post, told.trouble) = (state, peer?.code, trouble)
                told.address = address ?? peer?.addresses.first
                told.taken += took
                if isHeard { told.lastHeardAt = BoxClock.now }
            }
            return (told.state, told.trouble)
        }
        guard former != (state, trouble) else { return }
        if isHeard || (state == .unpaired && trouble == nil) { clear(["silent", "refused"]) }
    }

    private func clear(_ names: [String]) { for name in names { alarms.clear("peer.\(name)") } }
}
