import Foundation

/// Removes what its term is over for, in small steps, each a transaction of its own.
struct RemovalRound {
    private let policy: String
    private var parts: ArraySlice<String>
    private var place = "{}"

    /// Violations go before the passages that they stand on.
    init(_ days: KeptDays) throws {
        policy = try days.json
        parts = days.keepsAll ? [] : ["violations", "passages", "photos", "changes"]
    }

    /// One step.
    ///
    /// - Returns: whether there is another one.
    mutating func step(_ connection: PostgresConnection) throws -> Bool {
        guard let part = parts.first else { return false }
        let next = try connection.run(
            "select checkpost.remove_old($1::jsonb, $2, $3::jsonb)", [policy, part, place]
        ).scalar
        place = next ?? "{}"
        if next == nil { parts.removeFirst() }
        return !parts.isEmpty
    }

    /// The contents of photos whose rows went.
    static func loosePhotos(_ connection: PostgresConnection) throws -> [String] {
        try connection.run("select checkpost.loose_photos(500)").rows.compactMap { $0[0] }
    }

    /// Removes the file of a photo whose row went, unless another row has the same bytes; alone, until the transaction ends.
    static func settle(_ hash: String, _ photos: PhotoStore, _ connection: PostgresConnection) throws {
        if try connection.run("select checkpost.settle_photo($1)", [hash]).scalar == "t" { try photos.remove(hash) }
    }
}
