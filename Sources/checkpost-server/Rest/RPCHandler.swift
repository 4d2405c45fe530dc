import Foundation
import HTTPTypes
import Hummingbird
import ParkAPI

/// A function of the schema `public` that clients may call, as PostgREST shows it under `/rest/v1/rpc/<name>`.
package struct RPCFunction: Sendable, Equatable {
    /// What it gives: rows become a JSON array, a value stands alone.
    package enum Result: Sendable, Equatable { case rows, value }

    /// By name, with their types: `uuid`, `date` and the like; or one without a name, of type `jsonb`, which is the whole body.
    package enum Arguments: Sendable, Equatable { case named([String: String]), body }

    package var arguments: Arguments
    package var result: Result

    /// Whether a call is noted as a person's change.
    package var changes: Bool

    package init(_ arguments: Arguments, gives result: Result, changes: Bool = true) {
        self.arguments = arguments
        self.result = result
        self.changes = changes
    }
}

/// `POST /rest/v1/rpc/<name>`, with the arguments as a JSON object. It runs with the caller's rights; who may call what stands in SQL.
package struct RPCHandler: Sendable {
    /// The functions that are exposed: all that PostgREST would show, so that a client finds the same here as in a Supabase project.
    /// One that stands in `public` and not here is not called.
    package static let functions: [ParkFunction: RPCFunction] = [
        .passageDays: RPCFunction(
            .named([DaysQuestion.CodingKeys.post.rawValue: "uuid", DaysQuestion.CodingKeys.since.rawValue: "date"]),
            gives: .rows, changes: false),
        .evidenceOf: RPCFunction(
            .named([EvidenceQuestion.CodingKeys.passage.rawValue: "uuid"]), gives: .rows, changes: false),
        .matchPassage: RPCFunction(
            .named([pair[0]: "uuid", pair[1]: "uuid"]), gives: .value),
        .changePassage: RPCFunction(.body, gives: .value),
        .resolveAlert: RPCFunction(.body, gives: .value),
        .accountsOpen: RPCFunction(.body, gives: .value, changes: false),
        .createRanger: RPCFunction(.body, gives: .value),
        .news: RPCFunction(.named([:]), gives: .value, changes: false),
        .tellReviews: RPCFunction(.body, gives: .value, changes: false),
        .handInText: RPCFunction(.body, gives: .value, changes: false),
        .textKey: RPCFunction(.named([:]), gives: .value, changes: false),
        .checkOverstay: RPCFunction(.named([:]), gives: .value, changes: false),
        .receiveSMS: RPCFunction(
            .named(["message": "text", "sender": "text", "message_sid": "text"]), gives: .value, changes: false),
    ]

    /// The two passages of a proposed match.
    private static let pair = MatchQuestion.CodingKeys.allCases.map(\.rawValue)

    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on("\(ParkPath.databaseFunctions)/{function}", method: .post) { try await call($0, $1) }
    }

    private func call(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let name = context.parameters.get("function") ?? ""
        guard let function = ParkFunction(rawValue: name).flatMap({ Self.functions[$0] }) else {
            throw APIError(
                .notFound, "PGRST202", "Could not find the function public.\(name.prefix(64)) in the schema cache")
        }
        let given = try await gateway.jsonObject(request)
        let statement = try Self.statement(name, function, given)
        let answer = try await gateway.transaction(as: caller) { connection in
            try connection.run(statement.sql, statement.parameters).scalar
        }
        if function.changes {
            let names = [PassageChange.CodingKeys.clientID.rawValue, "username"] + Self.pair
            let rows = names.compactMap { given[$0]?.string }
            gateway.journal.changed(name, rows: rows, count: max(rows.count, 1), by: caller)
        }
        return json(text: answer ?? "null")
    }

    /// The call with named arguments. Every name in it is one of `function`; the values are parameters.
    static func statement(
        _ name: String, _ function: RPCFunction, _ given: [String: JSONValue]
    ) throws(APIError) -> (sql: String, parameters: [String?]) {
        var parameters: [String?] = []
        var arguments: [String] = []
        switch function.arguments {
        case .body:
            parameters = [try text(of: .object(given), type: "jsonb")]
            arguments = ["$1::jsonb"]
        case .named(let types):
            for (key, value) in given.sorted(by: { $0.key < $1.key }) {
                guard let type = types[key] else { throw unknown(name, "with the parameter \(key.prefix(64))") }
                parameters.append(try text(of: value, type: type))
                arguments.append("\(key.quotedIdentifier) => $\(parameters.count)::\(type)")
            }
            if let missing = types.keys.sorted().first(where: { given[$0] == nil }) {
                throw unknown(name, "without the parameter \(missing)")
            }
        }
        let call = "public.\(name.quotedIdentifier)(\(arguments.joined(separator: ", ")))"
        let sql =
            switch function.result {
            case .rows: "select coalesce(json_agg(r), '[]') from \(call) r"
            case .value: "select to_json(\(call))"
            }
        return (sql, parameters)
    }

    private static func unknown(_ name: String, _ how: String) -> APIError {
        APIError(.notFound, "PGRST202", "Could not find the function public.\(name) \(how) in the schema cache")
    }

    private static func text(of value: JSONValue, type: String) throws(APIError) -> String? {
        if type != "jsonb" {
            if value == .null { return nil }
            if let text = value.string { return text }
        }
        guard let text = try? value.text() else { throw APIError.badBody("An argument is no JSON") }
        return text
    }
}
