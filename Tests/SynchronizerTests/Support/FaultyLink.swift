import Enforcement
import Foundation
import ParkAPI
import Synchronization

@testable import Synchronizer

/// Stands between a post and the park's server on a socket of its own, and spoils some of what passes.
final class FaultyLink: Sendable {
    private final class State: Sendable {
        struct Values {
            var chance: Chance
            var trouble: Double
            var spoiled = 0
        }

        let values: Mutex<Values>

        init(_ values: Values) { self.values = Mutex(values) }

        func withLock<Result>(_ body: (inout sending Values) -> sending Result) -> sending Result {
            values.withLock(body)
        }
    }

    private let state: State
    private let listener: HTTPListener

    /// - Parameter trouble: how likely a request is spoiled.
    init(to url: String, seed: UInt64, trouble: Double) throws {
        let state = State(.init(chance: Chance(seed: seed), trouble: trouble))
        listener = try HTTPListener { asked in
            let fault: Fault? = state.withLock { state in
                guard state.chance.happens(state.trouble) else { return nil }
                state.spoiled += 1
                let faults: [Fault] = [
                    .drop, .loseAnswer, .truncate, .garble, .portal, .twice,
                    .answer(.json(["message": "no database"], status: 500)),
                    .answer(Answered(status: 503, headers: ["Retry-After": "3"], body: Data("{}".utf8))),
                ]
                return faults.randomElement(using: &state.chance)
            }
            switch fault {
            case .drop: return (Answered(status: 500), fault)
            case .answer(let answered): return (answered, fault)
            case .portal: return (Answered(status: 200, body: Data("<!DOCTYPE html><html></html>".utf8)), fault)
            case .twice: _ = Self.forward(asked, to: url)
            default: break
            }
            // A slow link.
            usleep(state.withLock { UInt32($0.chance.share() * 3000) })
            return (Self.forward(asked, to: url), fault)
        }
        self.state = state
    }

    var url: String { "http://127.0.0.1:\(listener.port)" }
    var spoiled: Int { state.withLock { $0.spoiled } }
    func mend() { state.withLock { $0.trouble = 0 } }

    private static func forward(_ asked: Asked, to url: String) -> Answered {
        guard let method = SyncRequest.Method(rawValue: asked.method) else { return Answered(status: 400) }
        var request = SyncRequest(method, asked.target, body: asked.body.isEmpty ? nil : asked.body)
        let passed = ["authorization", "apikey", "accept", "content-type", "prefer", "x-upsert", "x-photo-original"]
        request.headers = asked.headers.filter { passed.contains($0.key) }
        guard case .answered(let answer) = ServerTransport(url: url).perform(request) else {
            return .json(["message": "the way ends here"], status: 502)
        }
        var headers = ["Content-Type": "application/json"]
        headers["Date"] = answer.date
        headers["Retry-After"] = answer.retryAfter
        return Answered(status: answer.status, headers: headers, body: answer.body)
    }
}
