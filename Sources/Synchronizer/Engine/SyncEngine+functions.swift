import Enforcement
import Foundation
import ParkAPI

/// Calling the server's functions where this server has them.
extension SyncEngine {
    /// A call of one function.
    struct Call {
        var function: ParkFunction
        var body: Data
        var timeout = TimeSpan.seconds(60)

        init(_ function: ParkFunction, _ body: some Encodable, timeout: TimeSpan = .seconds(60)) throws {
            self.function = function
            self.body = try ParkJSON.data(body)
            self.timeout = timeout
        }
    }

    /// Calls a function; one that the server lacks in one place is called in the other, and from then on there.
    ///
    /// A 404 can also mean that a record is not there. The other place then says so once more, and nothing was done by either.
    func exchange(_ call: Call) throws -> ServerExchange {
        let paths = (dialect ?? .ours).paths(of: call.function)
        func request(_ path: String) -> SyncRequest {
            SyncRequest(.post, path, body: call.body, timeout: call.timeout)
        }
        return try exchange {
            let reply = $0(request(paths.first))
            guard let other = paths.other, reply.isMissing else { return reply }
            let second = $0(request(other))
            if case .answered = second, !second.isMissing { self.dialect?.learn(isInDatabase: call.function) }
            return second
        }
    }

    /// As `askForVerdict`, of a function.
    func askForVerdict(_ call: Call) throws -> (Verdict, ServerAnswer?) { try judged { try exchange(call) } }
}

extension ServerExchange {
    /// Whether the server lacks what was asked for. Ours answers a function with 404 for nothing else.
    var isMissing: Bool {
        guard case .answered(let answer) = self else { return false }
        return answer.status == 404 && answer.isWellFormed
    }
}
