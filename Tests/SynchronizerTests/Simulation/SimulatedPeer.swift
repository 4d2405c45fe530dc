import Enforcement
import Foundation
import Storage
import TestKit

@testable import Appliance

/// The direct link between the two posts of a simulation, over a radio that loses words: each asks the other what is new, as the boxes do.
///
/// It draws from a seed of its own, so that nothing else of a day changes with it.
final class SimulatedPeer {
    /// A third of the roads have one.
    let isThere: Bool
    private let time: SimulatedTime
    private var chance: Chance
    private var outages: [ClosedRange<TimeSpan>] = []
    private let loss: Double
    private var nextAt: [String: TimeSpan] = [:]
    private var known: [String: (digest: String, waiting: [WaitingSighting])] = [:]

    /// Words about passages that came over it.
    private(set) var taken = 0

    /// Outcomes that came over it and hold.
    private(set) var done = 0

    init(seed: UInt64, _ time: SimulatedTime, until length: TimeSpan) {
        chance = Chance(seed: seed &* 31 &+ 991)
        self.time = time
        isThere = chance.happens(0.33)
        loss = chance.happens(0.3) ? 0 : chance.share() * 0.4
        var at = chance.span(60...900)
        while at < length {
            let end = at.adding(chance.span(30...1500))
            outages.append(at...end)
            at = end.adding(chance.span(100...1500))
        }
    }

    /// Whether the radio carries nothing now.
    var isOut: Bool { outages.contains { $0.contains(time.passed) } }

    /// From now on every word arrives.
    func mend() { outages = [.seconds(-2)...(.seconds(-1))] }

    private func isLost() -> Bool { chance.happens(outages.first?.lowerBound == .seconds(-2) ? 0 : loss) }

    /// Lets a post ask, where it is time to.
    func turn(_ post: SimulatedPost, _ other: SimulatedPost) throws {
        guard isThere, time.passed >= nextAt[post.code] ?? .seconds(0) else { return }
        nextAt[post.code] = time.passed.adding(chance.span(1...40))
        guard !post.isPowerless, !other.isPowerless, post.clock.error.milliseconds == 0,
            !isOut, !isLost()
        else { return }
        do {
            try ask(post, other)
        } catch is StoreError {
            // Its disk refuses: it asks again, and is told again.
        }
    }

    /// A post that goes on from a backup or from nothing trusts nobody until the two are paired once more.
    func pairAnew(_ post: SimulatedPost, _ other: SimulatedPost) throws {
        for (one, another) in [(post, other), (other, post)] {
            known[one.code] = nil
            try one.pair(with: another.code)
        }
    }

    private func ask(_ post: SimulatedPost, _ other: SimulatedPost) throws {
        let peer = try post.pairedPeer(other.code)
        _ = try other.pairedPeer(post.code)
        let question = PeerQuestion(
            after: peer.mark, outcomesAfter: peer.outcomeMark, reviews: known[post.code]?.digest, waitSeconds: 0,
            port: 8460)
        let reply = try PeerAnswers.reply(
            to: question, of: other.code, cameras: other.cameras, store: other.store, since: Instant(milliseconds: 0),
            rows: Int.random(in: 1...6, using: &chance), at: other.clock.now)
        let answer = try JSONEncoder().encode(reply)
        guard !isLost() else { return }
        let now = post.clock.now
        let news = try JSONDecoder().decode(PeerNews.self, from: answer)
        let words = try news.words(of: other.code, in: post.store, at: now).words
        var course = known[post.code]
        let reviews = news.reviews(knowing: &course, at: now)
        known[post.code] = course
        _ = try PassageImport.keep(
            words, reviews: reviews, isComplete: !news.hasMore, since: Instant(milliseconds: news.since),
            in: post.store, at: now)
        try post.store.violations.takeIn(news.doings(at: now), at: now)
        taken += words.count
        // The power may go between the two: the same is told once more.
        if chance.happens(0.03) { return post.cutPower() }
        try post.store.peers.keep(mark: news.upTo, after: peer.mark, of: peer.publicKey)
        try post.store.peers.keep(outcomeMark: news.outcomesUpTo ?? 0, after: peer.outcomeMark, of: peer.publicKey)
        done += try post.store.violations.settleTold(at: now)
        try post.passagesArrived(at: now)
    }
}

extension SimulatedPost {
    fileprivate func pairedPeer(_ code: String) throws -> Peer {
        if let known = try store.peers.active(of: code) { return known }
        return try pair(with: code)
    }

    @discardableResult
    fileprivate func pair(with code: String) throws -> Peer {
        if isPowerless { try comeBack() }
        let peer = Peer(
            publicKey: String(repeating: "b", count: 64), code: code, address: "10.0.0.2:8460", pairedAt: clock.now)
        try store.peers.pair(peer, at: clock.now)
        return peer
    }
}
