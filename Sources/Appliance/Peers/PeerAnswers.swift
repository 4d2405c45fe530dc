import Enforcement
import Foundation
import Logging
import MachineClock
import PeerLink
import ServiceLifecycle
import Storage
import Synchronization

/// Answers the other post from this one's records, and lends guests the way to the server.
struct PeerAnswers: PeerDesk {
    /// Rows of one answer: over 9,600 baud some seconds.
    static let rows = 25

    /// No answer waits longer.
    static let longestWait = 20
    private static let lookInterval = Duration.milliseconds(250)

    /// How often what waits for review is told where nothing else is: a vehicle in view is read anew all the time.
    private static let reviewsEvery = 20

    let configuration: Configuration
    let store: Store
    let contact: PeerContact
    let log: Logger
    let time: @Sendable () -> StampedState
    let shelf: PeerPhotoShelf
    let relay: PeerRelay
    let mailbox: PeerMailbox

    func identity() throws -> PeerIdentity { try PeerKeeper(store).identity() }

    func isPaired(with key: PeerKey) throws -> Bool { try peer(with: key) != nil }

    /// Whoever may ask: the other post and guests. A hub asks nothing.
    private func peer(with key: PeerKey) throws -> Peer? {
        guard let peer = try store.peers.active(key: key.description) else { return nil }
        return switch peer.kind {
        case .post: peer.code == configuration.otherPostCode ? peer : nil
        case .guest: peer
        case .hub: nil
        }
    }

    func join(_ request: JoinRequest, from address: String) throws -> JoinReply {
        let now = BoxClock.now
        let kind: Peer.Kind = request.wantsWay == true ? .guest : .post
        guard let offer = try store.peers.offer(), offer.until > now, let code = PairingCode(typed: offer.code),
            request.isProved(by: code), let key = PeerKey(raw: request.key),
            offer.takenBy == nil || offer.takenBy == key.description,
            // Whoever has a code for a guest is no other post by it.
            offer.kind == kind
        else { return .refused(.code) }
        guard kind == .guest || request.post == configuration.otherPostCode else { return .refused(.post) }
        let identity = try identity()
        let known = try store.peers.active(key: key.description)
        if let known, known.kind != kind { return .refused(.known) }
        if known != nil {
            // Asked once more, since its answer was lost: what is known of it stays.
            try store.peers.useOffer(by: key.description)
        } else {
            guard try kind == .post || relay.isLent && store.peers.active(kind).count < kind.most else {
                return .refused(.way)
            }
            var peer = Peer(publicKey: key.description, code: request.post, kind: kind, address: nil, pairedAt: now)
            peer.seenAt = Self.place(address, request.port)
            try store.peers.pair(peer, at: now)
        }
        log.notice(
            kind == .post ? "paired with the other post" : "lends its way to the server to another box",
            metadata: ["post": "\(LogText.of(request.post, limit: 64))", "key": "\(key)"])
        return .joined(JoinAnswer(post: configuration.post.code, key: identity.publicKey, to: request, code: code))
    }

    func answer(_ question: Data, of key: PeerKey, from address: String) async throws -> Data {
        let ask = try JSONDecoder().decode(PeerAsk.self, from: question)
        if let piece = ask.relay { return try JSONEncoder().encode(await relay.reply(to: piece, of: key)) }
        if let text = ask.text {
            return try JSONEncoder().encode(mailbox.reply(to: text, of: key, at: BoxClock.now))
        }
        // A guest is of another road, perhaps of another park: it is told nothing of this one.
        guard try peer(with: key)?.kind == .post else {
            throw AdvisedError("A box that is lent the way to the server asks for more.", hint: "")
        }
        if let picture = ask.picture {
            return try JSONEncoder().encode(shelf.reply(to: picture, of: configuration.post.code, notBefore: oldest))
        }
        guard let question = ask.news else { throw AdvisedError("The other post asks nothing.", hint: "") }
        follow(question, from: address)
        let began = MachineClock.uptime
        let wait = min(max(0, question.waitSeconds), Self.longestWait)
        let end = ContinuousClock.now + .seconds(wait)
        let turn = contact.nextTurn()
        var looks = 0
        // A box asks one question at a time: a newer one ends an older, whose asker is gone.
        while ContinuousClock.now < end, contact.isTurn(turn), !Task.isShuttingDownGracefully,
            try store.passages.lastNews() == question.after, try !hasDone(after: question.outcomesAfter)
        {
            looks += 1
            if looks % Self.reviewsEvery == 0, try isOtherReview(than: question.reviews) { break }
            if looks % 4 == 0, try !isPaired(with: key) { break }
            try await Task.sleep(for: Self.lookInterval)
        }
        var reply = try Self.reply(
            to: question, of: configuration.post.code, cameras: cameras, store: store, since: oldest, rows: Self.rows,
            at: BoxClock.now)
        reply.terms = PeerTerms(
            now: time().clockState.isTrusted ? BoxClock.now.milliseconds : nil,
            waited: (MachineClock.uptime - began).milliseconds,
            road: try RoadTerms(store, configuration))
        return try JSONEncoder().encode(reply)
    }

    /// What was recorded earlier is told nobody. By a clock that is wrong nothing is too old; who asks knows better.
    private var oldest: Instant {
        time().clockState == .untrusted ? Instant(milliseconds: 0) : BoxClock.now - PeerNews.reach
    }

    /// What waits is read before the news: what it is complete up to is in them.
    ///
    /// - Parameters:
    ///   - code: of this post.
    ///   - since: what was recorded earlier is told nobody.
    static func reply(
        to question: PeerQuestion, of code: String, cameras: [String], store: Store, since: Instant, rows: Int,
        at now: Instant
    ) throws -> PeerReply {
        let reviews = try store.sightings.reviewsToTell(asOf: now, cameras: cameras, by: .file)
        let news = try store.passages.news(after: question.after, of: code, since: since, limit: rows)
        // This box watches since it was paired at the latest. Nobody may be missed of whom it can't know.
        let pairedAt = try store.peers.active()?.pairedAt ?? now
        let first = try store.passages.firstRecordedAt(since: since) ?? pairedAt
        let done = try question.outcomesAfter.map {
            try store.violations.outcomeNews(after: $0, since: since, limit: rows)
        }
        return PeerReply(
            upTo: news.upTo, hasMore: news.hasMore, since: max(since, min(first, pairedAt)).milliseconds,
            passages: news.passages.map(PeerRow.init),
            reviews: news.hasMore ? nil : PeerReviews(reviews, known: question.reviews),
            outcomes: done?.outcomes.map(PeerOutcome.init), outcomesUpTo: done?.upTo)
    }

    /// Whether somebody here has done something about a violation since.
    private func hasDone(after number: Int64?) throws -> Bool {
        guard let number else { return false }
        return try store.violations.lastOutcomeNews() != number
    }

    private func isOtherReview(than known: String?) throws -> Bool {
        let reviews = try store.sightings.reviewsToTell(asOf: BoxClock.now, cameras: cameras, by: .file)
        return PeerReviews.digest(of: reviews.waiting) != known
    }

    private var cameras: [String] { configuration.cameras.map(\.name) }

    /// A box that moved is found where it speaks from.
    private func follow(_ question: PeerQuestion, from address: String) {
        guard (1...65535).contains(question.port) else { return }
        let place = Self.place(address, question.port)
        do {
            if try store.peers.active()?.seenAt != place { try store.peers.saw(at: place) }
        } catch {
            log.error("where the other post is can't be kept", metadata: ["error": "\(error)"])
        }
    }

    static func place(_ address: String, _ port: Int) -> String {
        let plain = address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
        return plain.contains(":") ? "[\(plain)]:\(port)" : "\(plain):\(port)"
    }
}

/// Which question waits.
final class PeerContact: Sendable {
    private let turn = Atomic(0)

    func nextTurn() -> Int { turn.wrappingAdd(1, ordering: .relaxed).newValue }
    func isTurn(_ number: Int) -> Bool { turn.load(ordering: .relaxed) == number }
}

extension PeerTable {
    /// The post that this one is paired with, if it is the one at the other end.
    package func active(of code: String) throws -> Peer? { try active().flatMap { $0.code == code ? $0 : nil } }
}
