import Foundation

extension PostgresConnection {
    /// Rows of a query, each as the value that its columns make: `full_name` becomes `fullName`.
    func list<Row: Decodable>(_ type: Row.Type, _ sql: String, _ parameters: [String?] = []) throws -> [Row] {
        try object([Row].self, "select coalesce(json_agg(l), '[]') from (\(sql)) l", parameters)
    }

    /// The value that a query answers as JSON, in its first column and row.
    ///
    /// - Parameter empty: what stands for null.
    func object<Value: Decodable>(
        _ type: Value.Type, _ sql: String, _ parameters: [String?] = [], empty: String = "null"
    ) throws -> Value {
        let text = try run(sql, parameters).scalar
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data((text ?? empty).utf8))
    }
}
