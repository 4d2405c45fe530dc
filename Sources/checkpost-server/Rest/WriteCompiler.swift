/// Turns inserts, updates and deletes into SQL. Each statement returns the primary keys of the rows that it touched.
package struct WriteCompiler {
    package let read: ReadCompiler

    package init(read: ReadCompiler) {
        self.read = read
    }

    package func insert(
        into table: Catalog.Table, _ body: WriteBody, _ query: ReadQuery, _ preferences: Preferences
    ) throws(APIError) -> SQLStatement {
        let columns = try columns(body.columns, of: table)
        try body.demandTimes(columns)
        var statement = SQLStatement()
        let names = columns.map(\.quoted).joined(separator: ", ")
        let source = try source(table, body, columns, usesDefaults: preferences.usesDefaults, &statement)
        // An object without members is a row of defaults; there is no such insert for several rows at once.
        statement.sql =
            columns.isEmpty
            ? "insert into \(table.quoted) default values"
            : "insert into \(table.quoted) (\(names)) select \(names) from \(source) x"
        if let resolution = preferences.resolution {
            let conflict = try self.columns(query.conflictColumns ?? table.primaryKey, of: table)
            let target = conflict.isEmpty ? "" : "(\(conflict.map(\.quoted).joined(separator: ", ")))"
            let changed = columns.filter { !conflict.contains($0) }
            statement.sql += " on conflict \(target) do "
            if resolution == .mergeDuplicates, !changed.isEmpty {
                statement.sql += "update set "
                statement.sql += changed.map { "\($0.quoted) = excluded.\($0.quoted)" }.joined(separator: ", ")
            } else {
                statement.sql += "nothing"
            }
        }
        try addReturning(table, preferences, &statement)
        return statement
    }

    package func update(
        _ table: Catalog.Table, _ body: WriteBody, _ query: ReadQuery, _ preferences: Preferences
    ) throws(APIError) -> SQLStatement {
        guard body.count == 1 else { throw .badBody("An update takes one object") }
        let columns = try columns(body.columns, of: table)
        guard !columns.isEmpty else { throw .badBody("An update takes one column at least") }
        try body.demandTimes(columns)
        var statement = SQLStatement()
        let alias = statement.newAlias()
        let source = try source(table, body, columns, usesDefaults: false, &statement)
        let changes = columns.map { "\($0.quoted) = x.\($0.quoted)" }.joined(separator: ", ")
        let condition = try condition(table, alias, query, &statement, verb: "UPDATE")
        statement.sql = "update \(table.quoted) \(alias) set \(changes) from \(source) x where \(condition)"
        if let key = try? read.singleKey(of: table) { statement.sql += " returning \(alias).\(key.quoted)::text" }
        return statement
    }

    /// Deletes, and returns the deleted rows as a JSON array: afterwards they can't be read any more.
    package func delete(_ table: Catalog.Table, _ query: ReadQuery) throws(APIError) -> SQLStatement {
        var statement = SQLStatement()
        let alias = statement.newAlias()
        let condition = try condition(table, alias, query, &statement, verb: "DELETE")
        var shown = query
        shown.filters = []
        shown.order = []
        shown.limit = nil
        shown.offset = 0
        let rows = try read.subselect(from: "gone", table, statement.newAlias(), shown, joinedBy: nil, &statement)
        statement.sql = """
            with gone as (delete from \(table.quoted) \(alias) where \(condition) returning \(alias).*) \
            select coalesce((select json_agg(r.o) from (\(rows)) r), '[]')::text, (select count(*) from gone)
            """
        return statement
    }

    /// A filter is demanded: a forgotten one would change the whole table.
    private func condition(
        _ table: Catalog.Table, _ alias: String, _ query: ReadQuery, _ statement: inout SQLStatement, verb: String
    ) throws(APIError) -> String {
        var own = query
        own.select = .everything
        own.embedded = [:]
        guard let condition = try read.condition(table, alias, own, &statement) else {
            throw APIError(.badRequest, "21000", "\(verb) requires a WHERE clause", hint: "Add a filter.")
        }
        guard query.limit == nil, query.offset == 0 else { throw .badQuery("\(verb) takes no limit and no offset") }
        return condition
    }

    private func addReturning(
        _ table: Catalog.Table, _ preferences: Preferences, _ statement: inout SQLStatement
    ) throws(APIError) {
        // A role that may insert may not always read; only who asks for rows needs the right to see them.
        guard preferences.returned != .minimal else { return }
        statement.sql += " returning \(try read.singleKey(of: table).quoted)::text"
    }

    private func source(
        _ table: Catalog.Table, _ body: WriteBody, _ columns: [Catalog.Column], usesDefaults: Bool,
        _ statement: inout SQLStatement
    ) throws(APIError) -> String {
        if columns.isEmpty { return "" }
        let json = statement.bind(body.json, as: usesDefaults ? "jsonb" : "json")
        let withDefaults = columns.filter { $0.defaultSQL != nil }
        guard usesDefaults, !withDefaults.isEmpty else {
            return usesDefaults
                ? "jsonb_populate_recordset(null::\(table.quoted), \(json))"
                : "json_populate_recordset(null::\(table.quoted), \(json))"
        }
        var pairs: [String] = []
        for column in withDefaults {
            pairs.append("\(statement.bind(column.name, as: "text")), \(column.defaultSQL ?? "null")")
        }
        return """
            (select r.* from jsonb_array_elements(\(json)) e cross join lateral \
            jsonb_populate_record(null::\(table.quoted), jsonb_build_object(\(pairs.joined(separator: ", "))) || e) r)
            """
    }

    private func columns(_ names: [String], of table: Catalog.Table) throws(APIError) -> [Catalog.Column] {
        var columns: [Catalog.Column] = []
        for name in names {
            guard let column = table.column(name) else {
                throw APIError(
                    .badRequest, "PGRST204",
                    "Could not find the '\(name.prefix(64))' column of '\(table.name)' in the schema cache")
            }
            guard !column.isGenerated else {
                throw APIError(.badRequest, "428C9", "cannot insert a value into column \"\(name)\"")
            }
            columns.append(column)
        }
        return columns
    }
}
