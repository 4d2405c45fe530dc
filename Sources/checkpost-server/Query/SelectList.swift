/// What of a row is wanted: `id,number:plate_number,checkposts!inner(code)`.
package struct SelectList: Sendable, Equatable {
    package struct Embedding: Sendable, Equatable {
        package var alias: String?
        /// A table, a foreign key, or a column with a foreign key.
        package var target: String
        /// Which foreign key, when several lead there: its name or its column.
        package var hint: String?
        /// Rows without a counterpart are left out.
        package var isInner = false
        package var list: SelectList

        /// The name by which parameters refer to it.
        package var key: String { alias ?? target }
    }

    package enum Item: Sendable, Equatable {
        case all
        case column(String, alias: String?)
        case embedding(Embedding)
    }

    package static let everything = SelectList(items: [.all])
    package static let depthLimit = 2
    private static let itemLimit = 60
    /// In all levels together. Each embedded table is a question of its own for every row.
    package static let totalLimit = 200
    package static let embeddingLimit = 10

    package var items: [Item]

    package var itemCount: Int {
        items.reduce(0) { count, item in
            if case .embedding(let embedding) = item { count + 1 + embedding.list.itemCount } else { count + 1 }
        }
    }

    package var embeddingCount: Int {
        items.reduce(0) { count, item in
            if case .embedding(let embedding) = item { count + 1 + embedding.list.embeddingCount } else { count }
        }
    }

    private init(items: [Item]) {
        self.items = items
    }

    package init(_ text: String) throws(APIError) {
        var scanner = TextScanner(text.filter { !$0.isWhitespace })
        self = try Self.list(&scanner, depth: 0)
        guard scanner.isAtEnd else { throw .badQuery("failed to parse select parameter (\(text.prefix(100)))") }
    }

    private static func list(_ scanner: inout TextScanner, depth: Int) throws(APIError) -> SelectList {
        var items: [Item] = []
        if scanner.isAtEnd || scanner.next == ")" { return SelectList(items: []) }
        repeat {
            guard items.count < itemLimit else { throw .badQuery("select has more than \(itemLimit) items") }
            items.append(try item(&scanner, depth: depth))
        } while scanner.skip(",")
        return SelectList(items: items)
    }

    private static func item(_ scanner: inout TextScanner, depth: Int) throws(APIError) -> Item {
        if scanner.skip("*") { return .all }
        guard var name = scanner.name() else { throw .badQuery("failed to parse select parameter: a name is missing") }
        var alias: String?
        if scanner.next == ":" {
            guard scanner.skip(":"), let target = scanner.name() else {
                throw .badQuery(
                    "failed to parse select parameter: a name is missing", details: "Casts with :: are not supported.")
            }
            alias = name
            name = target
        }
        var hint: String?
        var isInner = false
        var words = 0
        while scanner.skip("!") {
            words += 1
            guard words <= 3 else { throw .badQuery("failed to parse select parameter: too many !") }
            guard let word = scanner.name() else { throw .badQuery("failed to parse select parameter after !") }
            switch word {
            case "inner": isInner = true
            case "left": isInner = false
            default: hint = word
            }
        }
        guard scanner.skip("(") else {
            guard hint == nil, !isInner else { throw .badQuery("failed to parse select parameter: ( is missing") }
            return .column(name, alias: alias)
        }
        guard depth < depthLimit else { throw .badQuery("tables are embedded more than \(depthLimit) levels deep") }
        let inner = try list(&scanner, depth: depth + 1)
        guard scanner.skip(")") else { throw .badQuery("failed to parse select parameter: ) is missing") }
        return .embedding(Embedding(alias: alias, target: name, hint: hint, isInner: isInner, list: inner))
    }
}
