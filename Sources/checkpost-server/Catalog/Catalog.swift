/// What clients may name: the tables of the schema `public`, their columns and their foreign keys, as PostgreSQL lists them.
///
/// Every identifier in a statement that the gateway writes is taken from here. A request only chooses among them.
package struct Catalog: Sendable {
    package struct Column: Sendable, Equatable {
        package var name: String
        /// The type without a length or a scale, for casts: a cast to `numeric(6,2)` would round what is compared.
        package var type: String
        /// The SQL of the default, as PostgreSQL prints it.
        package var defaultSQL: String?
        package var isGenerated: Bool

        package var quoted: String { name.quotedIdentifier }

        package var isText: Bool { type == "text" || type == "character varying" }
        package var isBoolean: Bool { type == "boolean" }
    }

    /// A foreign key, seen from one of its two tables.
    package struct Relation: Sendable, Equatable {
        package var constraint: String
        package var table: String
        package var columns: [String]
        package var otherTable: String
        package var otherColumns: [String]
        /// One row here has many there.
        package var isToMany: Bool
    }

    package struct Table: Sendable, Equatable {
        package var name: String
        package var columns: [Column]
        package var primaryKey: [String]
        package var relations: [Relation]

        package var quoted: String { "public.\(name.quotedIdentifier)" }

        package func column(_ name: String) -> Column? {
            columns.first { $0.name == name }
        }
    }

    package private(set) var tables: [String: Table]

    package init(tables: [Table]) {
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    package func table(_ name: String) throws(APIError) -> Table {
        guard let table = tables[name] else {
            throw APIError(.notFound, "PGRST205", "Could not find the table 'public.\(name.prefix(64))'")
        }
        return table
    }
}

extension String {
    package var quotedIdentifier: String {
        "\"\(replacing("\"", with: "\"\""))\""
    }
}
