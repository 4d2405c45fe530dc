import Enforcement
import Foundation
import Pages

/// One request of somebody who is signed in: who it is, in which language, and when.
struct WardenVisit: Sendable {
    let session: WardenSessions.Session
    let person: Person
    let formToken: FormToken
    let texts: Texts
    let now: Instant

    struct Person: Decodable, Sendable {
        var fullName: String
        /// Whether accounts, too, are changed.
        var isAdmin: Bool
        /// Whether records are judged: by wardens and admins.
        var isWarden: Bool
        /// Whether the records of all segments are shown: to wardens, admins and auditors.
        var readsAll: Bool
        /// A ranger's post, and the segment that it lies on.
        var checkpost: String?
        var segment: String?
    }

    var isAdmin: Bool { person.isAdmin }
    var isWarden: Bool { person.isWarden }
    var readsAll: Bool { person.readsAll }

    /// Whom a page or a change is for.
    enum Audience: Sendable {
        case everybody, readersOfAll, wardens, admins
    }

    func belongs(to audience: Audience) -> Bool {
        switch audience {
        case .everybody: true
        case .readersOfAll: readsAll
        case .wardens: isWarden
        case .admins: isAdmin
        }
    }

    /// Who it is, as the account's own rights show it.
    static func person(_ connection: PostgresConnection) throws -> Person {
        let found = try connection.list(
            Person.self,
            """
            select p.full_name, checkpost.is_admin() as is_admin, checkpost.is_warden() as is_warden,
                checkpost.reads_all() as reads_all,
                (select c.code from checkposts c where c.id = checkpost.my_checkpost()) as checkpost,
                checkpost.my_segment() as segment
            from user_profiles p where p.id = auth.uid()
            """)
        // An account for programs alone has no profile.
        guard let person = found.first, person.readsAll || person.segment != nil else {
            throw APIError(.forbidden, "error_no_profile", "The account has no profile, or no post")
        }
        return person
    }
}

extension Texts {
    static let english = Texts(language: "en", PackageResources.en_json)
    static let nepali = Texts(language: "ne", PackageResources.ne_json)

    static func of(_ language: String?) -> Texts { language == "ne" ? nepali : english }
}

/// A moment as the database gives it to the pages: whole microseconds since 1970, so that the next page of a list begins exactly where
/// the last one ended.
struct Micros: Codable, Sendable, Hashable {
    var value: Int64

    init(_ value: Int64) { self.value = value }
    init(_ instant: Instant) { value = instant.milliseconds * 1000 }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int64.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    var instant: Instant { Instant(milliseconds: value / 1000) }

    /// SQL for a moment of the database.
    static func of(_ column: String) -> String { "(extract(epoch from \(column)) * 1000000)::bigint" }
}
