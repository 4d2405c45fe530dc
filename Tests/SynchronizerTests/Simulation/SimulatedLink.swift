import Enforcement
import Foundation
import ParkAPI

@testable import Synchronizer

/// The way from one post to the park, with everything that goes wrong on it.
final class SimulatedLink: SyncTransport {
    enum Trouble: CaseIterable {
        /// Nothing arrives.
        case lost
        /// The server does it, and the answer is lost.
        case answerLost
        /// The server does it a while after the box has given up.
        case late
        /// The server does it twice.
        case twice
        case garbled, portal, unwell, busy, tooMany, tokenForgotten
        /// The box loses its power before the server is asked, or after.
        case powerCutBefore, powerCutAfter
    }

    let park: ParkServer
    let time: SimulatedTime
    var chance: Chance
    /// How likely trouble is with one request.
    var trouble = 0.0
    var outages: [ClosedRange<TimeSpan>] = []
    /// Takes the database away from under the engine, as a power cut does.
    var cutPower: () -> Void = {}

    /// What happened, for a comparison of two runs.
    private(set) var trace: [String] = []
    private var late: [(moment: TimeSpan, request: Asked)] = []

    init(_ park: ParkServer, _ time: SimulatedTime, _ chance: Chance) {
        self.park = park
        self.time = time
        self.chance = chance
    }

    func perform(_ request: SyncRequest) -> ServerExchange {
        perform(request, isOut: { self.outages.contains { $0.contains(self.time.passed) } })
    }

    /// - Parameter isOut: whether there is no way at all, a moment later.
    func perform(_ request: SyncRequest, isOut: () -> Bool) -> ServerExchange {
        let fields = request.overHTTP(to: "http://simulated").fields
        let asked = Asked(
            method: request.method.rawValue, target: request.path,
            headers: Dictionary(uniqueKeysWithValues: fields.map { ($0.key.lowercased(), $0.value) }),
            body: request.body ?? Data())
        time.advance(chance.span(0.02...0.3))
        deliverLate()
        if isOut() {
            time.advance(chance.span(0.1...10))
            note(asked, "outage")
            return .silent("no route")
        }
        guard chance.happens(trouble), let trouble = Trouble.allCases.randomElement(using: &chance) else {
            let answered = park.respond(asked)
            note(asked, "\(answered.status)")
            return exchange(answered)
        }
        note(asked, "\(trouble)")
        return perform(asked, with: trouble)
    }

    private func perform(_ asked: Asked, with trouble: Trouble) -> ServerExchange {
        switch trouble {
        case .lost: return .silent("timed out")
        case .answerLost:
            _ = park.respond(asked)
            return .silent("connection reset")
        case .late:
            late.append((time.passed.adding(chance.span(1...300)), asked))
            return .silent("timed out")
        case .twice:
            _ = park.respond(asked)
            return exchange(park.respond(asked))
        case .garbled:
            var answered = park.respond(asked)
            answered.body = Data(answered.body.map { $0 ^ 0x2a })
            return exchange(answered)
        case .portal: return exchange(Answered(status: 200, body: Data("<html>Pay here</html>".utf8)))
        case .unwell: return exchange(.json(["message": "no database"], status: 500))
        case .busy:
            return exchange(
                Answered(status: 503, headers: ["Retry-After": "40"], body: Data(#"{"message":"busy"}"#.utf8)))
        case .tooMany: return exchange(.json(["message": "slowly"], status: 429))
        case .tokenForgotten:
            park.expireTokens(refreshToo: chance.happens(0.5))
            return exchange(park.respond(asked))
        case .powerCutBefore:
            cutPower()
            return .silent("power")
        case .powerCutAfter:
            let answered = park.respond(asked)
            cutPower()
            return exchange(answered)
        }
    }

    /// What was held up somewhere arrives.
    func deliverLate() {
        let due = late.filter { $0.moment <= time.passed }
        late.removeAll { $0.moment <= time.passed }
        for (_, request) in due { _ = park.respond(request) }
    }

    /// What was held up never arrives.
    func dropWhatIsHeldUp() { late = [] }

    /// With all that was asked: two runs are the same when every byte of it is.
    private func note(_ asked: Asked, _ what: String) {
        trace.append("\(asked.method) \(asked.target) \(String(decoding: asked.body, as: UTF8.self)) \(what)")
    }

    private func exchange(_ answered: Answered) -> ServerExchange {
        .answered(
            ServerAnswer(
                status: answered.status, retryAfter: answered.headers["Retry-After"], date: answered.headers["Date"],
                body: answered.body))
    }
}

extension TimeSpan {
    func adding(_ other: TimeSpan) -> TimeSpan { .milliseconds(milliseconds + other.milliseconds) }
}
