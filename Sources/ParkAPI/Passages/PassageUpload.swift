import Enforcement
import Foundation

/// A passage as it is sent.
package struct PassageUpload: Encodable, Sendable {
    package var passage: Passage
    package var checkpost: UUID
    package var segment: UUID
    package var ranger: UUID

    /// What goes beyond the published columns; nil for a server that has none of them. All rows of a list have the same keys.
    package var beyond: Beyond?

    package struct Beyond: Sendable {
        package var smsClientID: UUID?

        /// Whether the server has the column of which way vehicles went.
        package var tellsTravel: Bool

        package init(smsClientID: UUID?, tellsTravel: Bool) {
            self.smsClientID = smsClientID
            self.tellsTravel = tellsTravel
        }
    }

    package init(_ passage: Passage, checkpost: UUID, segment: UUID, ranger: UUID, beyond: Beyond?) {
        self.passage = passage
        self.checkpost = checkpost
        self.segment = segment
        self.ranger = ranger
        self.beyond = beyond
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: PassageColumn.self)
        try row.write(id: passage.clientID, .clientID)
        try row.write(passage.plate.compact, .plate)
        try row.write(text: passage.plateRaw, most: ContractLimits.plateRaw, .plateRaw)
        try row.write(passage.vehicleType.rawValue, .vehicleType)
        try row.write(id: checkpost, .checkpost)
        try row.write(id: segment, .segment)
        try row.write(time: passage.recordedAt, .recordedAt)
        try row.write(id: ranger, .ranger)
        try row.write(PassageSource.app.rawValue, .source)
        guard let beyond else { return }
        try row.write(id: beyond.smsClientID, .smsClientID)
        try row.write(text: passage.actedBy, most: ContractLimits.actedBy, .actedBy)
        try row.write(passage.confidence, .confidence)
        try row.write(passage.clockState.rawValue, .clockState)
        try row.write(passage.photoSHA256, .photoSHA256)
        if beyond.tellsTravel { try row.write(passage.travel?.rawValue, .travel) }
    }
}

/// One column of a passage that is changed at the server.
package enum PassagePatch: Encodable, Sendable {
    case plate(Plate)
    case photoPath(String)

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: PassageColumn.self)
        switch self {
        case .plate(let plate): try row.write(plate.compact, .plate)
        case .photoPath(let path): try row.write(path, .photoPath)
        }
    }
}
