extension Catalog {
    /// The foreign key that an embedding means.
    ///
    /// The target is a table, a foreign key's name, or a column with a foreign key; a hint after `!` chooses among several keys by their
    /// name or column. Where more than one is left, the client must choose (300, PGRST201).
    package func relation(from table: Table, _ embedding: SelectList.Embedding) throws(APIError) -> Relation {
        func isNamed(_ relation: Relation, _ name: String) -> Bool {
            relation.constraint == name || relation.columns == [name]
        }
        var found = table.relations.filter { $0.otherTable == embedding.target || isNamed($0, embedding.target) }
        if let hint = embedding.hint {
            found = found.filter { isNamed($0, hint) || $0.otherColumns == [hint] }
        }
        // A table's key to itself shows both of its ends; a column names the end that it is on.
        if found.count > 1, let column = embedding.hint ?? embedding.target as String? {
            let here = found.filter { !$0.isToMany && $0.columns == [column] }
            if here.count == 1 { found = here }
        }
        guard let relation = found.first else {
            throw APIError(
                .badRequest, "PGRST200",
                "Could not find a relationship between '\(table.name)' and '\(embedding.target)' in the schema cache")
        }
        guard found.count == 1 else {
            throw APIError(
                .multipleChoices, "PGRST201",
                "Could not embed because more than one relationship was found for '\(table.name)' and '\(embedding.target)'",
                hint: "Choose one of: \(found.map { "\(embedding.target)!\($0.constraint)" }.joined(separator: ", "))")
        }
        return relation
    }
}
