import Foundation
import HTTPTypes
import Hummingbird

/// A function of the schema `public` that clients may call, as PostgREST shows it under `/rest/v1/rpc/<name>`.
package struct RPCFunction: Sendable, Equatable {
    /// What it gives: rows become a JSON array, a value stands alone.
    package enum Result: Sendable, Equatable { case rows, value }

    /// Arguments by name, with their types: `uuid`, `date`, `jsonb` and the like.
    package var arguments: [String: String]
    package var result: Result

    package init(_ arguments: [String: String], gives result: Result) {
        self.arguments = arguments
        self.result = result
    }
}

/// `POST /rest/v1/rpc/<name>`, with the arguments as a JSON object. It runs with the caller's rights; who may call what stands in SQL.
package struct RPCHandler: Sendable {
    /// The functions that are exposed. One that stands in `public` and not here is not called.
    package static let functions: [String: RPCFunction] = [
        "passage_days": RPCFunction(["post": "uuid", "since": "date"], gives: .rows)
    ]

    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on("/rest/v1/rpc/{function}", method: .post) { try await call($0, $1) }
    }

    private func call(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let name = context.parameters.get("function") ?? ""
        guard let function = Self.functions[name] else {
            throw APIError(
                .notFound, "PGRST202", "Could not find the function public.\(name.prefix(64)) in the schema cache")
        }
        let statement = try Self.statement(name, function, try await gateway.jsonObject(request))
        let answer = try await gateway.transaction(as: caller) { connection in
            try connection.run(statement.sql, statement.parameters).scalar
        }
        return json(text: answer ?? "null")
    }

    /// The call with named arguments. Every name in it is one of `function`; the values are parameters.
    static func statement(
        _ name: String, _ function: RPCFunction, _ given: [String: Any]
    ) throws(APIError) -> (sql: String, parameters: [String?]) {
        var parameters: [String?] = []
        var arguments: [String] = []
        for (key, value) in given.sorted(by: { $0.key < $1.key }) {
            guard let type = function.arguments[key] else {
                throw APIError(
                    .notFound, "PGRST202",
                    "Could not find the function public.\(name) with the parameter \(key.prefix(64)) in the schema cache"
                )
            }
            parameters.append(try text(of: value, type: type))
            arguments.append("\(key.quotedIdentifier) => $\(parameters.count)::\(type)")
        }
        let call = "public.\(name.quotedIdentifier)(\(arguments.joined(separator: ", ")))"
        let sql =
            switch function.result {
            case .rows: "select coalesce(json_agg(r), '[]') from \(call) r"
            case .value: "select to_json(\(call))"
            }
        return (sql, parameters)
    }

    private static func text(of value: Any, type: String) throws(APIError) -> String? {
        if type != "jsonb" {
            if value is NSNull { return nil }
            if let text = value as? String { return text }
        }
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]) else {
            throw APIError.badBody("An argument is no JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
