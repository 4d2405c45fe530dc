import Foundation

/// Moves photos from the folder into the bucket, or back, while the server serves: it looks in both.
///
/// Each photo is read back and compared with its hash before it goes from where it was. So a run that was stopped is gone on with by another.
struct PhotoMover {
    let photos: PhotoBucket
    let owner: PostgresConnection
    let say: (String) -> Void

    private static let page = 500

    struct Result: Equatable {
        var moved = 0
        /// The bytes are not those of their name, or could not be read back; they stay where they are.
        var damaged: [String] = []
        /// Went meanwhile.
        var gone = 0
    }

    enum Target: String, CaseIterable { case bucket, folder }

    /// - Throws: ``S3Outage`` when the storage can't be used; what was moved until then is moved.
    func move(to target: Target) throws -> Result {
        var (result, after) = (Result(), "")
        while true {
            let hashes = try source(target).hashes(after: after, most: Self.page)
            guard let last = hashes.last else { return result }
            after = last
            for hash in hashes { try move(hash, to: target, &result) }
            say("\(result.moved) photos moved, as far as \(last.prefix(4)) of ffff.")
        }
    }

    private func source(_ target: Target) -> any PhotoStorage { target == .bucket ? photos.former : photos }

    private func move(_ hash: String, to target: Target, _ result: inout Result) throws {
        try owner.transaction { connection in
            // Nobody takes these bytes away meanwhile, or into use.
            try connection.run("select pg_advisory_xact_lock(hashtextextended($1, 1))", [hash])
            guard try source(target).size(of: hash) != nil else {
                result.gone += 1
                return
            }
            guard let bytes = try source(target).whole(hash) else {
                result.damaged.append(hash)
                return
            }
            switch target {
            case .bucket:
                try photos.put(bytes, as: hash)
                guard try photos.inBucket(hash) == bytes else {
                    result.damaged.append(hash)
                    return
                }
                try photos.former.remove(hash)
            case .folder:
                try photos.former.put(bytes, as: hash)
                guard try photos.former.whole(hash) == bytes else {
                    result.damaged.append(hash)
                    return
                }
                // The service reads it before this run ends, and also if it is stopped.
                try photos.former.giveToOwner(hash)
                try photos.removeFromBucket(hash)
            }
            result.moved += 1
        }
    }
}
