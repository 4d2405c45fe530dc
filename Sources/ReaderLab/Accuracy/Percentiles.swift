/// The median and the 95th percentile of measured values.
package struct Percentiles: Encodable {
    private var values: [Double] = []

    package init() {}

    package mutating func add(_ value: Double) { values.append(value) }

    package var median: Double { percentile(0.5) }
    package var percentile95: Double { percentile(0.95) }

    /// The value that `share` of all don't exceed (the nearest rank); 0 without values.
    private func percentile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let rank = Int((share * Double(values.count)).rounded(.up))
        return values.sorted()[max(0, min(values.count - 1, rank - 1))]
    }

    enum CodingKeys: String, CodingKey {
        case median
        case percentile95 = "p95"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode((median * 100).rounded() / 100, forKey: .median)
        try container.encode((percentile95 * 100).rounded() / 100, forKey: .percentile95)
    }
}
