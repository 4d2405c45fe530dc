import Enforcement
import Storage

/// A user of the box, as programs get one: without what they sign in with.
package struct ListedUser: Encodable {
    private let name: String
    private let fullName: String
    private let role: String
    private let origin: String
    private let hasPIN: Bool
    private let lastSignInAt: String?

    enum CodingKeys: String, CodingKey {
        case name, role, origin
        case fullName = "full_name"
        case hasPIN = "has_pin"
        case lastSignInAt = "last_sign_in_at"
    }

    package init(_ user: User) {
        (name, fullName, role, origin) = (user.name, user.fullName, user.role.rawValue, user.origin.rawValue)
        (hasPIN, lastSignInAt) = (user.pinHash != nil, user.lastSignInAt?.iso8601)
    }
}
