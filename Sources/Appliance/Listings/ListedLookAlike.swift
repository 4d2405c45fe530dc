import Enforcement
import Foundation
import Storage

/// A possible match as programs get it.
package struct ListedLookAlike: Encodable {
    package struct Side: Encodable {
        package let clientID: String
        package let checkpost: String
        package let plate: String
        package let text: String
        package let recordedAt: String

        package enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case checkpost, plate, text
            case recordedAt = "recorded_at"
        }

        init(_ passage: MatchablePassage) {
            clientID = passage.clientID.uuidString.lowercased()
            checkpost = passage.checkpostCode
            plate = passage.plate.compact
            text = passage.plate.canonical
            recordedAt = passage.recordedAt.iso8601
        }
    }

    package let id: Int64
    package let entry: Side
    package let exit: Side

    package init(_ stored: StoredMatch) {
        id = stored.id
        entry = Side(stored.match.entry)
        exit = Side(stored.match.exit)
    }
}
