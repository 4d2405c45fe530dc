import Foundation
import ParkAPI

@testable import Synchronizer

/// Answers as a server of some version has answered, each request by the answers that one of its kind had then, in order; the last one
/// goes on.
final class RecordedServer {
    private var answers: [String: [Exchange]] = [:]
    private(set) var asked: Set<String> = []

    /// A column that it doesn't have.
    var lacks: String?
    /// Every row has a field that nobody knows.
    var saysMore = false

    init(_ exchanges: [Exchange]) {
        for exchange in exchanges { answers[(exchange.account ?? "") + exchange.kind, default: []].append(exchange) }
    }

    func transport(_ account: String) -> any SyncTransport { Line(self, account) }

    private final class Line: SyncTransport {
        private let server: RecordedServer
        private let account: String

        init(_ server: RecordedServer, _ account: String) { (self.server, self.account) = (server, account) }

        func perform(_ request: SyncRequest) -> ServerExchange { .answered(server.answer(account, request)) }
    }

    private func answer(_ account: String, _ request: SyncRequest) -> ServerAnswer {
        let kind = Exchange.kind(request.method.rawValue, request.path)
        asked.insert(kind)
        let key = account + kind
        guard let exchange = answers[key]?.first else {
            return Self.error(404, kind.contains("/rest/v1/rpc/") ? "PGRST202" : "PGRST205", "Could not find it")
        }
        if let lacks {
            let said = request.path + (request.body.flatMap { String(data: $0, encoding: .utf8) } ?? "")
            if said.contains(lacks) {
                return request.method == .get
                    ? Self.error(400, "42703", "column \(lacks) does not exist")
                    : Self.error(400, "PGRST204", "Could not find the '\(lacks)' column")
            }
        }
        if let rest = answers[key], rest.count > 1 { answers[key] = Array(rest.dropFirst()) }
        var body = Data(exchange.answer.utf8)
        if lacks != nil || saysMore, let value = try? JSONSerialization.jsonObject(with: body) {
            body = (try? JSONSerialization.data(withJSONObject: changed(value))) ?? body
        }
        return ServerAnswer(status: exchange.status, body: body)
    }

    private func changed(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(changed) }
        guard var object = value as? [String: Any] else { return value }
        if let lacks { object[lacks] = nil }
        if saysMore { object["said_by_a_newer_one"] = ["of": [1, "two"]] }
        return object
    }

    private static func error(_ status: Int, _ code: String, _ message: String) -> ServerAnswer {
        ServerAnswer(status: status, body: Data(#"{"code":"\#(code)","message":"\#(message)"}"#.utf8))
    }
}
