import Foundation

/// The columns of `user_profiles`.
package enum ProfileColumn: String, TableColumn {
    case id
    case fullName = "full_name"
    case role
    case isActive = "is_active"
    case assignedCheckpost = "assigned_checkpost_id"

    package static var table: Table { .userProfiles }
}

/// What an account may do.
package enum AccountRole: String, Sendable, CaseIterable {
    case ranger
    case admin
    /// Judges the records of every segment at the server; at no post's console.
    case warden
    /// Reads what an admin reads, and changes nothing; at no post's console.
    case auditor
}

/// An account's profile. One that is switched off is shown to nobody but the warden.
package struct ProfileRow: Decodable, Sendable {
    package var fullName: String?

    /// Nil for a role that this box doesn't know.
    package var role: AccountRole?

    /// True where it was not asked for: such rows were asked to be active.
    package var isActive: Bool
    package var assignedCheckpost: UUID?

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: ProfileColumn.self)
        fullName = try cell.optional(.fullName)
        role = AccountRole(rawValue: try cell(.role))
        isActive = try cell.optional(.isActive) ?? true
        assignedCheckpost = try cell.optional(.assignedCheckpost)
    }
}
