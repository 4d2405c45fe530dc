/// Turns parsed queries into SQL, with every name looked up in the catalog.
package struct ReadCompiler {
    package let catalog: Catalog
    /// No answer has more rows than this, whatever the client asks for.
    package let rowLimit: Int

    package init(catalog: Catalog, rowLimit: Int) {
        self.catalog = catalog
        self.rowLimit = rowLimit
    }

    /// One row: the rows as a JSON array, and how many they are.
    package func rows(of table: Catalog.Table, _ query: ReadQuery) throws(APIError) -> SQLStatement {
        var statement = SQLStatement()
        let alias = statement.newAlias()
        let rows = try subselect(from: table.quoted, table, alias, query, joinedBy: nil, &statement)
        statement.sql = "select coalesce(json_agg(r.o), '[]')::text, count(*) from (\(rows)) r"
        return statement
    }

    /// How many rows there are without limit and offset.
    package func count(of table: Catalog.Table, _ query: ReadQuery) throws(APIError) -> SQLStatement {
        var statement = SQLStatement()
        let alias = statement.newAlias()
        let condition = try condition(table, alias, query, &statement)
        statement.sql = "select count(*) from \(table.quoted) \(alias)\(condition.map { " where \($0)" } ?? "")"
        return statement
    }

    /// The rows with the given primary keys, in that order, as a JSON array, and how many they are.
    package func rows(
        of table: Catalog.Table, keys: [String], select: SelectList, embedded: [String: ReadQuery]
    ) throws(APIError) -> SQLStatement {
        var query = ReadQuery()
        query.select = select
        query.embedded = embedded
        var statement = SQLStatement()
        let alias = statement.newAlias()
        let object = try object(table, alias, query, &statement)
        let key = try singleKey(of: table)
        let list = statement.bind(SQLStatement.array(keys), as: "\(key.type)[]")
        statement.sql = """
            select coalesce(json_agg(r.o), '[]')::text, count(*) from (select \(object) as o from \(table.quoted) \(alias) \
            where \(alias).\(key.quoted) = any(\(list)) order by array_position(\(list), \(alias).\(key.quoted))) r
            """
        return statement
    }

    package func singleKey(of table: Catalog.Table) throws(APIError) -> Catalog.Column {
        guard table.primaryKey.count == 1, let key = table.column(table.primaryKey[0]) else {
            throw APIError(.badRequest, "PGRST000", "\(table.name) has no key of one column")
        }
        return key
    }

    /// `select … as o from …` for one level. `joinedBy` ties it to the level above.
    package func subselect(
        from source: String, _ table: Catalog.Table, _ alias: String, _ query: ReadQuery, joinedBy join: String?,
        _ statement: inout SQLStatement
    ) throws(APIError) -> String {
        let object = try object(table, alias, query, &statement)
        let conditions = [join, try condition(table, alias, query, &statement)].compactMap(\.self)
        // The rows are chosen first, and only those that are left become JSON.
        var sql = "select \(object) as o from (select \(alias).* from \(source) \(alias)"
        if !conditions.isEmpty { sql += " where \(conditions.joined(separator: " and "))" }
        if !query.order.isEmpty {
            var terms: [String] = []
            for term in query.order {
                let column = try column(term.column, of: table)
                let nulls = term.nullsFirst.map { $0 ? " nulls first" : " nulls last" } ?? ""
                terms.append("\(alias).\(column.quoted)\(term.isDescending ? " desc" : " asc")\(nulls)")
            }
            sql += " order by \(terms.joined(separator: ", "))"
        }
        sql += " limit \(min(query.limit ?? rowLimit, rowLimit))"
        if query.offset > 0 { sql += " offset \(query.offset)" }
        return "\(sql)) \(alias)"
    }

    /// The JSON object of one row. Names that the request made up are parameters.
    private func object(
        _ table: Catalog.Table, _ alias: String, _ query: ReadQuery, _ statement: inout SQLStatement
    ) throws(APIError) -> String {
        var pairs: [String] = []
        for item in query.select.items {
            switch item {
            case .all:
                for column in table.columns {
                    pairs.append("\(statement.bind(column.name, as: "text")), \(alias).\(column.quoted)")
                }
            case .column(let name, let newName):
                let column = try column(name, of: table)
                pairs.append("\(statement.bind(newName ?? column.name, as: "text")), \(alias).\(column.quoted)")
            case .embedding(let embedding):
                let value = try embedded(embedding, in: table, alias, query, &statement)
                pairs.append("\(statement.bind(embedding.key, as: "text")), (\(value))")
            }
        }
        // A function takes a hundred arguments at most.
        guard pairs.count <= 50 else { throw .badQuery("select names more than 50 columns") }
        return "json_build_object(\(pairs.joined(separator: ", ")))"
    }

    private func embedded(
        _ embedding: SelectList.Embedding, in table: Catalog.Table, _ alias: String, _ query: ReadQuery,
        _ statement: inout SQLStatement
    ) throws(APIError) -> String {
        let relation = try catalog.relation(from: table, embedding)
        let other = try catalog.table(relation.otherTable)
        var inner = query.embedded[embedding.key] ?? ReadQuery()
        inner.select = embedding.list
        if !relation.isToMany { inner.limit = 1 }
        let innerAlias = statement.newAlias()
        let rows = try subselect(
            from: other.quoted, other, innerAlias, inner, joinedBy: join(relation, alias, innerAlias), &statement)
        return relation.isToMany
            ? "select checkpost.counted(coalesce(json_agg(e.o), '[]')) from (\(rows)) e" : "select e.o from (\(rows)) e"
    }

    private func join(_ relation: Catalog.Relation, _ alias: String, _ otherAlias: String) -> String {
        zip(relation.columns, relation.otherColumns).map { column, other in
            "\(otherAlias).\(other.quotedIdentifier) = \(alias).\(column.quotedIdentifier)"
        }.joined(separator: " and ")
    }

    /// What a row has to fulfil; nil when everything does.
    package func condition(
        _ table: Catalog.Table, _ alias: String, _ query: ReadQuery, _ statement: inout SQLStatement
    ) throws(APIError) -> String? {
        var conditions: [String] = []
        for filter in query.filters {
            conditions.append(try sql(filter, table, alias, &statement))
        }
        let embeddings: [SelectList.Embedding] = query.select.items.compactMap {
            if case .embedding(let embedding) = $0 { embedding } else { nil }
        }
        if let unknown = query.embedded.keys.filter({ key in !embeddings.contains { $0.key == key } }).min() {
            throw APIError(
                .badRequest, "PGRST108", "'\(unknown.prefix(64))' is not an embedded resource in this request",
                hint: "Verify that it is included in the 'select' query parameter.")
        }
        for embedding in embeddings where embedding.isInner {
            let relation = try catalog.relation(from: table, embedding)
            let other = try catalog.table(relation.otherTable)
            var inner = query.embedded[embedding.key] ?? ReadQuery()
            inner.select = embedding.list
            let innerAlias = statement.newAlias()
            let more = try condition(other, innerAlias, inner, &statement)
            let all = [join(relation, alias, innerAlias), more].compactMap(\.self).joined(separator: " and ")
            conditions.append("exists (select from \(other.quoted) \(innerAlias) where \(all))")
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " and ")
    }

    private func column(_ name: String, of table: Catalog.Table) throws(APIError) -> Catalog.Column {
        guard let column = table.column(name) else {
            throw APIError(.badRequest, "42703", "column \(table.name).\(name.prefix(64)) does not exist")
        }
        return column
    }

    private func sql(
        _ filter: Filter, _ table: Catalog.Table, _ alias: String, _ statement: inout SQLStatement
    ) throws(APIError) -> String {
        switch filter {
        case .not(let inner):
            return "(not \(try sql(inner, table, alias, &statement)))"
        case .all(let members), .any(let members):
            var parts: [String] = []
            for member in members { parts.append(try sql(member, table, alias, &statement)) }
            if case .all = filter { return "(\(parts.joined(separator: " and ")))" }
            return "(\(parts.joined(separator: " or ")))"
        case .oneOf(let name, let values):
            let column = try column(name, of: table)
            let list = statement.bind(SQLStatement.array(values), as: "\(column.type)[]")
            return "\(alias).\(column.quoted) = any(\(list))"
        case .isTruth(let name, let truth):
            let column = try column(name, of: table)
            if truth != .null, truth != .notNull, !column.isBoolean {
                throw APIError(.badRequest, "42804", "column \(table.name).\(column.name) is not a boolean")
            }
            return "\(alias).\(column.quoted) is \(truth == .notNull ? "not null" : truth.rawValue)"
        case .compare(let name, let comparison, let value):
            return try self.sql(comparison, try column(name, of: table), value, table, alias, &statement)
        }
    }

    private func sql(
        _ comparison: Filter.Operator, _ column: Catalog.Column, _ value: String, _ table: Catalog.Table,
        _ alias: String, _ statement: inout SQLStatement
    ) throws(APIError) -> String {
        let left = "\(alias).\(column.quoted)"
        let symbol =
            switch comparison {
            case .eq: "="
            case .neq: "<>"
            case .gt: ">"
            case .gte: ">="
            case .lt: "<"
            case .lte: "<="
            case .like: "like"
            case .ilike: "ilike"
            }
        guard comparison == .like || comparison == .ilike else {
            return "\(left) \(symbol) \(statement.bind(value, as: column.type))"
        }
        guard column.isText else {
            throw APIError(.badRequest, "42883", "column \(table.name).\(column.name) is not a text")
        }
        // A URL can't hold a percent sign well, so clients write an asterisk.
        return "\(left) \(symbol) \(statement.bind(value.replacing("*", with: "%"), as: "text"))"
    }
}
