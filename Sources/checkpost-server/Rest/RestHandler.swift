import Foundation
import HTTPTypes
import Hummingbird

/// `/rest/v1/<table>`: a strict subset of what PostgREST understands.
package struct RestHandler: Sendable {
    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    private var read: ReadCompiler { ReadCompiler(catalog: gateway.catalog, rowLimit: gateway.settings.rows) }
    private var write: WriteCompiler { WriteCompiler(read: read) }

    package func addRoutes(to router: Router<GatewayContext>) {
        let path: RouterPath = "/rest/v1/{table}"
        router.on(path, method: .get) { try await select($0, $1) }
        router.on(path, method: .head) { try await select($0, $1) }
        router.on(path, method: .post) { try await insert($0, $1) }
        router.on(path, method: .patch) { try await update($0, $1) }
        router.on(path, method: .delete) { try await delete($0, $1) }
    }

    private func select(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.caller(request)
        let answerForm = try AnswerForm(request)
        let table = try table(context)
        var query = try ReadQuery(QueryString(request.uri.query))
        let preferences = Preferences(request.headers)
        try applyRange(request, &query)
        let rows = try read.rows(of: table, query)
        let count = preferences.counts ? try read.count(of: table, query) : nil
        let (array, total) = try await gateway.transaction(as: caller, readsOnly: true) { connection in
            let array = JSONArray(try connection.run(rows.sql, rows.parameters))
            let total = try count.flatMap { try connection.run($0.sql, $0.parameters).scalar }
            return (array, total.flatMap(Int.init))
        }
        if let total, query.offset > total {
            throw APIError(
                .rangeNotSatisfiable, "PGRST103", "Requested range not satisfiable",
                details: "An offset of \(query.offset) was requested, but there are only \(total) rows.")
        }
        let body = try answerForm.text(of: array)
        var headers: HTTPFields = [:]
        headers[.contentRange] = Self.contentRange(offset: query.offset, count: array.count, total: total)
        let isPartial = total.map { array.count < $0 } ?? false
        return answerForm.response(
            isPartial ? .partialContent : .ok, headers, body: request.method == .head ? nil : body)
    }

    private func insert(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try writer(request, context)
        let answerForm = try AnswerForm(request)
        let table = try table(context)
        let query = try ReadQuery(QueryString(request.uri.query))
        let preferences = Preferences(request.headers)
        try WriteBody.demandJSON(request.headers[.contentType])
        let data = try await gateway.body(request, limit: gateway.settings.bodyBytes, weight: Gateway.jsonWeight)
        let body = try WriteBody(data, chosen: query.columns, usesDefaults: preferences.usesDefaults)
        guard body.count > 0 else {
            return answerForm.response(.created, [:], body: preferences.returned == .representation ? "[]" : nil)
        }
        if body.columns.isEmpty, body.count > 1 { throw APIError.badBody("The objects have no members") }
        let statement = try write.insert(into: table, body, query, preferences)
        let result = try await gateway.transaction(as: caller) { connection in
            let rows = try connection.run(statement.sql, statement.parameters)
            guard preferences.returned != .minimal else { return WriteResult(changed: rows.affected) }
            var keys = rows.rows.compactMap(\.[0])
            if table.name == "vehicle_passages" { keys += try mergedPassages(connection) }
            return try representation(table, keys, query, preferences, answerForm, connection)
        }
        // PostgREST answers 200 when every row was a duplicate that the client asked to ignore.
        // A box's own records come all day; the table shows who sent them. What else somebody writes is a change by a person.
        if result.changed > 0, !Self.recordsOfPosts.contains(table.name) {
            gateway.journal.changed(
                "insert \(table.name)", rows: result.keys.isEmpty ? body.names : result.keys, count: result.changed,
                by: caller)
        }
        let isNew = result.changed > 0 || preferences.resolution == nil
        return answer(isNew ? .created : .ok, table, result, preferences, answerForm)
    }

    /// What boxes write by themselves.
    private static let recordsOfPosts: Set = ["vehicle_passages", "post_reviews", "sync_runs", "sync_metadata"]

    private func update(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try writer(request, context)
        let answerForm = try AnswerForm(request)
        let table = try table(context)
        let query = try ReadQuery(QueryString(request.uri.query))
        let preferences = Preferences(request.headers)
        try WriteBody.demandJSON(request.headers[.contentType])
        let data = try await gateway.body(request, limit: gateway.settings.bodyBytes, weight: Gateway.jsonWeight)
        let body = try WriteBody(data, chosen: query.columns, usesDefaults: false)
        let statement = try write.update(table, body, query, preferences)
        var result = try await gateway.transaction(as: caller) { connection in
            let rows = try connection.run(statement.sql, statement.parameters)
            let keys = rows.rows.compactMap(\.[0])
            guard preferences.returned == .representation else { return WriteResult(changed: keys.count, keys: keys) }
            return try representation(table, keys, query, preferences, answerForm, connection)
        }
        if result.changed > 0, table.name == "vehicle_passages" || !Self.recordsOfPosts.contains(table.name) {
            gateway.journal.changed(
                "update \(table.name) \(body.columns.joined(separator: ","))", rows: result.keys, count: result.changed,
                by: caller)
        }
        if preferences.returned != .representation { result.keys = [] }
        return answer(
            preferences.returned == .representation ? .ok : .noContent, table, result, preferences, answerForm)
    }

    /// A body, if there is one, means nothing: some clients send `{}`.
    private func delete(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.caller(request)
        let answerForm = try AnswerForm(request)
        let table = try table(context)
        let query = try ReadQuery(QueryString(request.uri.query))
        let preferences = Preferences(request.headers)
        let statement = try write.delete(table, query)
        var result = try await gateway.transaction(as: caller) { connection in
            let array = JSONArray(try connection.run(statement.sql, statement.parameters))
            let body = preferences.returned == .representation ? try answerForm.text(of: array) : nil
            return WriteResult(changed: array.count, keys: array.ids, body: body)
        }
        if result.changed > 0 {
            gateway.journal.changed("delete \(table.name)", rows: result.keys, count: result.changed, by: caller)
        }
        result.keys = []
        return answer(
            preferences.returned == .representation ? .ok : .noContent, table, result, preferences, answerForm)
    }
}

private struct WriteResult: Sendable {
    var changed = 0
    var keys: [String] = []
    var body: String?
}

extension RestHandler {
    /// Who writes. Nobody without an account ever may, so nobody's body is read for nothing.
    private func writer(_ request: Request, _ context: GatewayContext) throws -> Caller {
        let caller = try gateway.caller(request)
        guard caller.role == .anon else { return caller }
        throw APIError(.unauthorized, "42501", "permission denied for table \(try table(context).name)")
    }

    private func table(_ context: GatewayContext) throws -> Catalog.Table {
        try gateway.catalog.table(context.parameters.get("table") ?? "")
    }

    /// The rows as they are after every trigger, read in the transaction that wrote them.
    private func representation(
        _ table: Catalog.Table, _ keys: [String], _ query: ReadQuery, _ preferences: Preferences, _ form: AnswerForm,
        _ connection: PostgresConnection
    ) throws -> WriteResult {
        var result = WriteResult(changed: keys.count, keys: keys)
        guard preferences.returned == .representation else { return result }
        let statement = try read.rows(of: table, keys: keys, select: query.select, embedded: query.embedded)
        result.body = try form.text(of: JSONArray(try connection.run(statement.sql, statement.parameters)))
        return result
    }

    /// Passages of this transaction that completed the row of an SMS instead of making one: see 0006_passages.sql.
    private func mergedPassages(_ connection: PostgresConnection) throws -> [String] {
        let list = try connection.run("select current_setting('checkpost.merged', true)").scalar ?? ""
        return list.split(separator: ",").map(String.init)
    }

    private func answer(
        _ status: HTTPResponse.Status, _ table: Catalog.Table, _ result: WriteResult, _ preferences: Preferences,
        _ form: AnswerForm
    ) -> Response {
        var headers: HTTPFields = [:]
        headers[.contentRange] = "*/\(preferences.counts ? String(result.changed) : "*")"
        if preferences.returned == .headersOnly, let key = result.keys.first, result.keys.count == 1 {
            headers[.location] = "/\(table.name)?\(table.primaryKey[0])=eq.\(key)"
        }
        return form.response(status, headers, body: result.body)
    }

    /// `Range: 0-24` means the same as offset and limit; the narrower one counts.
    private func applyRange(_ request: Request, _ query: inout ReadQuery) throws(APIError) {
        guard let range = request.headers[.range], request.headers[.rangeUnit] ?? "items" == "items",
            !range.hasPrefix("bytes")
        else { return }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0, first <= 1_000_000_000,
            ends[1].isEmpty || Int(ends[1]) != nil
        else { throw APIError(.rangeNotSatisfiable, "PGRST103", "Range is not as expected: first-last") }
        query.offset += first
        guard let last = Int(ends[1]) else { return }
        guard last >= first, last <= 1_000_000_000 else {
            throw APIError(.rangeNotSatisfiable, "PGRST103", "The range ends before it begins")
        }
        query.limit = min(query.limit ?? .max, last - first + 1)
    }

    static func contentRange(offset: Int, count: Int, total: Int?) -> String {
        let range = count == 0 ? "*" : "\(offset)-\(offset + count - 1)"
        return "\(range)/\(total.map(String.init) ?? "*")"
    }
}

extension HTTPField.Name {
    static let rangeUnit = HTTPField.Name("Range-Unit")!
}
