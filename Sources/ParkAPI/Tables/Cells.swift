import Enforcement
import Foundation

/// A row while it is read.
struct Cells<Column: TableColumn> {
    private let container: KeyedDecodingContainer<Column>

    init(_ decoder: any Decoder, of _: Column.Type = Column.self) throws {
        container = try decoder.container(keyedBy: Column.self)
    }

    func callAsFunction<Value: Decodable>(_ column: Column) throws -> Value {
        try container.decode(Value.self, forKey: column)
    }

    func optional<Value: Decodable>(_ column: Column) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: column)
    }

    func time(_ column: Column) throws -> Instant {
        try container.decode(ServerTime.self, forKey: column).instant
    }

    func optionalTime(_ column: Column) throws -> Instant? {
        try container.decodeIfPresent(ServerTime.self, forKey: column)?.instant
    }
}

/// A time as PostgreSQL writes it into JSON.
struct ServerTime: Decodable {
    var instant: Instant

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        // Microseconds are cut to milliseconds; an offset of hours alone (`+00`) gets its minutes.
        let whole = text.suffix(3).first.map { "+-".contains($0) } == true ? text + ":00" : text
        guard let instant = Instant(iso8601: whole) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time: \(text.prefix(40))")
        }
        self.instant = instant
    }
}

/// What is written has every key, with null where there is nothing: the server wants the rows of a list alike.
extension KeyedEncodingContainer {
    mutating func write(_ value: (some Encodable)?, _ key: Key) throws {
        try encode(value, forKey: key)
    }

    /// In lower case, as the server compares it in filters and in texts.
    mutating func write(id: UUID?, _ key: Key) throws {
        try encode(id?.sent, forKey: key)
    }

    mutating func write(time: Instant?, _ key: Key) throws {
        try encode(time?.iso8601, forKey: key)
    }

    /// - Parameter most: what is longer is cut: the server would refuse the whole row for it.
    mutating func write(text: String?, most: Int, _ key: Key) throws {
        try encode(text.map { String($0.prefix(most)) }, forKey: key)
    }
}

extension UUID {
    /// As it goes over the wire.
    package var sent: String { uuidString.lowercased() }
}
