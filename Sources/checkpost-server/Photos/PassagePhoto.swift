import Foundation

/// The photo of a passage as it is stored here.
struct PassagePhoto: Sendable, Equatable {
    /// `<passage id>.jpg`
    var name: String
    /// Of its bytes, in lower-case hexadecimal.
    var hash: String
    /// Whether it is the one that the passage was recorded with, byte for byte.
    var isAsRecorded: Bool

    /// - Parameter passage: the passage's id.
    /// - Returns: nil where none is stored, or the account sees none.
    static func of(_ passage: String, _ connection: PostgresConnection) throws -> PassagePhoto? {
        let row = try connection.run(
            """
            select o.name, o.metadata ->> 'eTag', coalesce(lower(p.photo_sha256) = o.metadata ->> 'eTag', false)
            from storage.objects o join vehicle_passages p on p.id::text = $1
            where o.bucket_id = 'passage-photos'
                and o.name in (select coalesce(p.copy_of, p.id) || ending from unnest(array['.jpg', '.jpeg', '.png']) ending)
            order by o.created_at, o.name limit 1
            """, [passage]
        ).rows.first?.compactMap(\.self)
        return row.flatMap { $0.count == 3 ? PassagePhoto(name: $0[0], hash: $0[1], isAsRecorded: $0[2] == "t") : nil }
    }

    /// Nil where the file is gone, or is not what was stored.
    func bytes(in store: PhotoStore) throws -> Data? { try store.whole(hash) }
}
