import Enforcement
import Foundation
import Storage
import Synchronizer

/// A line of a seed: one JSON object with one of these. The first is the head and the last the end; see note 0341.
struct SeedLine: Codable {
    /// What a seed is of.
    struct Head: Codable, Equatable {
        static let format = "checkpost-seed"
        static let version = 1

        var format = Self.format
        var version = Self.version
        /// The program that made it.
        var program: String
        /// The post that made it, and the one whose box may take it.
        var madeBy: String
        var forPost: String
        /// Milliseconds since 1970, as all moments here.
        var madeAt: Int64
        /// Passages since this moment are in it.
        var since: Int64
        /// The key that signs it, in hexadecimal.
        var key: String

        enum CodingKeys: String, CodingKey {
            case format, version, program, since, key
            case madeBy = "made_by"
            case forPost = "for"
            case madeAt = "made_at"
        }
    }

    struct Road: Codable {
        var segment: Segment
        var checkposts: [Checkpost]
    }

    struct Listed: Codable {
        var kind: String
        var plate: String
        var reason: String
        var listedAt: Int64

        enum CodingKeys: String, CodingKey {
            case kind, plate, reason
            case listedAt = "listed_at"
        }

        init(_ listed: ListedPlate) {
            (kind, plate, reason) = (listed.kind.rawValue, listed.plate.canonical, listed.reason)
            listedAt = listed.listedAt.milliseconds
        }

        var listed: ListedPlate? {
            guard let kind = ListedPlate.Kind(rawValue: kind), let plate = Plate(told: plate) else { return nil }
            return ListedPlate(
                kind: kind, plate: plate, reason: String(reason.prefix(200)),
                listedAt: Instant(milliseconds: listedAt))
        }
    }

    /// A passage of the other post, as the server has it.
    struct Passed: Codable {
        var clientID: UUID
        var serverID: UUID
        var plate: String
        var vehicleType: String
        var post: String
        var recordedAt: Int64
        var clockState: String
        var sequence: Int64?
        var isOfText: Bool
        var travel: String?
        var isMatched: Bool

        enum CodingKeys: String, CodingKey {
            case plate, post, sequence, travel
            case clientID = "client_id"
            case serverID = "server_id"
            case vehicleType = "vehicle_type"
            case recordedAt = "recorded_at"
            case clockState = "clock_state"
            case isOfText = "of_text"
            case isMatched = "matched"
        }

        init(_ row: SeedPassage, serverID: UUID) {
            let passage = row.passage
            (clientID, self.serverID) = (passage.clientID, serverID)
            (plate, post, vehicleType) = (
                passage.plate.canonical, passage.checkpostCode, passage.vehicleType.rawValue
            )
            (recordedAt, clockState) = (passage.recordedAt.milliseconds, passage.clockState.rawValue)
            (sequence, isOfText, travel) = (passage.serverSequence, passage.isOfText, passage.travel?.rawValue)
            isMatched = row.isMatched
        }

        /// - Parameter other: the post that it has to be of.
        func passage(of other: String) -> MatchablePassage? {
            guard post == other, let plate = Plate(told: plate), let type = VehicleType(rawValue: vehicleType),
                let clock = ClockState(rawValue: clockState)
            else { return nil }
            return MatchablePassage(
                clientID: clientID, serverID: serverID, plate: plate, vehicleType: type, checkpostCode: post,
                recordedAt: Instant(milliseconds: recordedAt), clockState: clock, serverSequence: sequence,
                isOfText: isOfText, travel: travel.flatMap(Travel.init))
        }
    }

    /// How far the server was read, with the row that it stands at.
    struct Mark: Codable {
        var name: String
        var value: Int64
        var row: UUID
    }

    /// An account of the server, for a box of the same post.
    struct Account: Codable {
        var name: String
        var fullName: String
        var role: User.Role
        var passwordHash: String?
        var pinHash: String?
        var createdAt: Int64
        var askedAt: Int64

        enum CodingKeys: String, CodingKey {
            case name, role
            case fullName = "full_name"
            case passwordHash = "password_hash"
            case pinHash = "pin_hash"
            case createdAt = "created_at"
            case askedAt = "asked_at"
        }
    }

    struct End: Codable {
        /// Of all lines before.
        var lines: Int
        var sha256: String
        /// Ed25519 by the head's key, in base64.
        var signature: String
    }

    var head: Head?
    var road: Road?
    var listed: Listed?
    var account: Account?
    var passage: Passed?
    var mark: Mark?
    var end: End?

    init() {}

    /// What is signed: the same key signs evidence, whose texts begin otherwise.
    static func message(sha256: String) -> String { "checkpost seed\n\(sha256)\n" }
}
