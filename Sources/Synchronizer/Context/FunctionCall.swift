import Enforcement
import Foundation
import ParkAPI

/// A call of one of the server's functions.
struct FunctionCall {
    var function: ParkFunction
    var body: Data
    var timeout = TimeSpan.seconds(60)

    init(_ function: ParkFunction, _ body: some Encodable, timeout: TimeSpan = .seconds(60)) throws {
        self.function = function
        self.body = try ParkJSON.data(body)
        self.timeout = timeout
    }
}

extension ServerExchange {
    /// Whether the server lacks what was asked for. Ours answers a function with 404 for nothing else.
    var isMissing: Bool {
        guard case .answered(let answer) = self else { return false }
        return answer.status == 404 && answer.isWellFormed
    }
}
