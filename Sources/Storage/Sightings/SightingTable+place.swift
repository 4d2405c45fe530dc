import Enforcement
import Foundation
import GRDB

extension SightingTable {
    /// Where in the photo of a passage its plate was read, in pixels; nil where it wasn't, or where that is forgotten.
    package func plateBox(ofPassage clientID: UUID, photo sha256: String) throws -> Box? {
        try read("Reading where a plate stands") { db in
            try String.fetchOne(
                db,
                cached: """
                    SELECT json_extract(reading, '$.box') FROM sightings
                    WHERE passage_client_id = ? AND best_sha256 = ? ORDER BY id LIMIT 1
                    """, arguments: [clientID.stored, sha256])
        }.flatMap { try? JSONDecoder().decode(Box.self, from: Data($0.utf8)) }
    }
}
