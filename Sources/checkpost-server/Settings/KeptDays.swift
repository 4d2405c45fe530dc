import Foundation

/// How many days the server keeps a kind of record; zero for ever. `checkpost.kept_for` reads it in SQL.
package struct KeptDays: Sendable, Equatable, Codable {
    /// Passages that no violation stands on, with their photos. One that overstayed is kept as long as violations are.
    package var passages = 0

    /// Violations that are settled.
    package var violations = 0

    /// Photos of vehicles that something was found against.
    package var photos = 0

    /// Photos of vehicles that nothing was found against.
    package var compliantPhotos = 0

    /// Who changed what, of what is not here any more.
    package var changes = 0

    private enum CodingKeys: String, CodingKey {
        case passages, violations, photos
        case compliantPhotos = "compliant_photos"
        case changes
    }

    /// The posts compare the last 90 days with what is here, and are asked for photos for some days.
    static let least = KeptDays(passages: 100, violations: 100, photos: 7, compliantPhotos: 7, changes: 400)

    /// All with their names, in the order of the configuration.
    static let parts: [(name: String, value: KeyPath<KeptDays, Int> & Sendable)] = [
        ("passages", \.passages), ("violations", \.violations), ("photos", \.photos),
        ("compliant_photos", \.compliantPhotos), ("changes", \.changes),
    ]

    /// Everything is kept for ever.
    package var keepsAll: Bool { self == KeptDays() }

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// What can't be, in words; nil when all can.
    var complaint: String? {
        for (name, value) in Self.parts
        where self[keyPath: value] != 0 && !(Self.least[keyPath: value]...36500).contains(self[keyPath: value]) {
            return "retention.\(name)_days is 0 (for ever) or a number from \(Self.least[keyPath: value]) to 36500."
        }
        return nil
    }
}
