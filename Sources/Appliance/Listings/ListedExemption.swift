import Enforcement
import Storage

/// An exempt plate, as programs get it.
package struct ListedExemption: Encodable {
    private let plate: String
    private let text: String
    private let reason: String
    private let addedAt: String
    private let isOfPark: Bool

    enum CodingKeys: String, CodingKey {
        case plate, text, reason
        case addedAt = "added_at"
        case isOfPark = "is_of_park"
    }

    package init(_ exempt: ExemptPlate) {
        (plate, text, reason) = (exempt.plate.compact, exempt.plate.canonical, exempt.reason)
        (addedAt, isOfPark) = (exempt.addedAt.iso8601, exempt.isOfPark)
    }
}
