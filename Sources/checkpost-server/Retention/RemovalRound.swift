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

    /// The file of one photo can't be removed now, and those of others may be. It stays remembered.
    struct Stuck: Error, CustomStringConvertible {
        let hash: String
        let why: String
        var description: String { "the photo \(hash) can't be removed: \(why)" }
    }

    /// Removes the file of a photo whose row went, unless another row has the same bytes; alone, until the transaction ends.
    ///
    /// - Throws: ``Stuck`` where it is this file alone; ``S3Outage`` where the storage doesn't answer.
    static func settle(_ hash: String, _ photos: PhotoStore, _ connection: PostgresConnection) throws {
        guard try connection.run("select checkpost.settle_photo($1)", [hash]).scalar == "t" else { return }
        do { try photos.remove(hash) } catch let outage as S3Outage where outage.isOfAll { throw outage } catch {
            throw Stuck(hash: hash, why: "\(error)")
        }
    }
}
