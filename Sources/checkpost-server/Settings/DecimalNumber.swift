/// A number in the configuration that may have decimals, and need not: TOML has two kinds of numbers, people have one.
package struct DecimalNumber: Codable, Sendable {
    package var value: Double

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int.self) {
            value = Double(whole)
        } else {
            value = try container.decode(Double.self)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
