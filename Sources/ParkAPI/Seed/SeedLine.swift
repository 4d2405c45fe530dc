import Crypto
import Enforcement
import Foundation

/// A line of a seed: one JSON object with one of these. The first is the head and the last the end; see note 0341.
package struct SeedLine: Codable, Sendable {
    /// What a seed is of.
    package struct Head: Codable, Sendable, Equatable {
        package static let format = "checkpost-seed"
        package static let version = 1

        package var format = Self.format
        package var version = Self.version
        /// The program that made it.
        package var program: String
        /// The post that made it, and the one whose box may take it.
        package var madeBy: String
        package var forPost: String
        /// Milliseconds since 1970, as all moments here.
        package var madeAt: Int64
        /// Passages since this moment are in it.
        package var since: Int64
        /// The key that signs it, in hexadecimal.
        package var key: String

        package init(program: String, madeBy: String, forPost: String, madeAt: Int64, since: Int64, key: String) {
            self.program = program
            self.madeBy = madeBy
            self.forPost = forPost
            self.madeAt = madeAt
            self.since = since
            self.key = key
        }

        enum CodingKeys: String, CodingKey {
            case format, version, program, since, key
            case madeBy = "made_by"
            case forPost = "for"
            case madeAt = "made_at"
        }
    }

    package struct Road: Codable, Sendable {
        package var segment: Segment
        package var checkposts: [Checkpost]

        package init(segment: Segment, checkposts: [Checkpost]) {
            self.segment = segment
            self.checkposts = checkposts
        }
    }

    package struct Listed: Codable, Sendable {
        package var kind: String
        package var plate: String
        package var reason: String
        package var listedAt: Int64

        enum CodingKeys: String, CodingKey {
            case kind, plate, reason
            case listedAt = "listed_at"
        }

        package init(_ listed: ListedPlate) {
            (kind, plate, reason) = (listed.kind.rawValue, listed.plate.canonical, listed.reason)
            listedAt = listed.listedAt.milliseconds
        }

        package var listed: ListedPlate? {
            guard let kind = ListedPlate.Kind(rawValue: kind), let plate = Plate(told: plate) else { return nil }
            return ListedPlate(
                kind: kind, plate: plate, reason: String(reason.prefix(200)),
                listedAt: Instant(milliseconds: listedAt))
        }
    }

    /// A passage of the other post, as the server has it.
    package struct Passed: Codable, Sendable {
        package var clientID: UUID
        package var serverID: UUID
        package var plate: String
        package var vehicleType: String
        package var post: String
        package var recordedAt: Int64
        package var clockState: String
        package var sequence: Int64?
        package var isOfText: Bool
        package var travel: String?
        package var isMatched: Bool

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

        package init(_ passage: MatchablePassage, serverID: UUID, isMatched: Bool) {
            (clientID, self.serverID) = (passage.clientID, serverID)
            (plate, post, vehicleType) = (
                passage.plate.canonical, passage.checkpostCode, passage.vehicleType.rawValue
            )
            (recordedAt, clockState) = (passage.recordedAt.milliseconds, passage.clockState.rawValue)
            (sequence, isOfText, travel) = (passage.serverSequence, passage.isOfText, passage.travel?.rawValue)
            self.isMatched = isMatched
        }

        /// - Parameter other: the post that it has to be of.
        package func passage(of other: String) -> MatchablePassage? {
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
    package struct Mark: Codable, Sendable {
        package enum Of: String, Codable, Sendable {
            /// Passages of the other post.
            case other
            /// What was deleted.
            case deleted
        }

        package var of: Of
        package var value: Int64
        package var row: UUID

        package init(of: Of, value: Int64, row: UUID) {
            self.of = of
            self.value = value
            self.row = row
        }
    }

    /// An account of the server, for a box of the same post.
    package struct Account: Codable, Sendable {
        package var name: String
        package var fullName: String
        /// `ranger` or `technician`.
        package var role: String
        package var passwordHash: String?
        package var pinHash: String?
        package var createdAt: Int64
        package var askedAt: Int64

        package init(
            name: String, fullName: String, role: String, passwordHash: String?, pinHash: String?, createdAt: Int64,
            askedAt: Int64
        ) {
            self.name = name
            self.fullName = fullName
            self.role = role
            self.passwordHash = passwordHash
            self.pinHash = pinHash
            self.createdAt = createdAt
            self.askedAt = askedAt
        }

        enum CodingKeys: String, CodingKey {
            case name, role
            case fullName = "full_name"
            case passwordHash = "password_hash"
            case pinHash = "pin_hash"
            case createdAt = "created_at"
            case askedAt = "asked_at"
        }
    }

    package struct End: Codable, Sendable {
        /// Of all lines before.
        package var lines: Int
        package var sha256: String
        /// Ed25519 by the head's key, in base64.
        package var signature: String

        package init(lines: Int, sha256: String, signature: String) {
            self.lines = lines
            self.sha256 = sha256
            self.signature = signature
        }
    }

    package var head: Head?
    package var road: Road?
    package var listed: Listed?
    package var account: Account?
    package var passage: Passed?
    package var mark: Mark?
    package var end: End?

    package init(_ head: Head) { self.head = head }
    package init(_ road: Road) { self.road = road }
    package init(_ listed: Listed) { self.listed = listed }
    package init(_ account: Account) { self.account = account }
    package init(_ passage: Passed) { self.passage = passage }
    package init(_ mark: Mark) { self.mark = mark }
    package init(_ end: End) { self.end = end }

    /// What is signed: the same key signs evidence, whose texts begin otherwise.
    package static func message(sha256: String) -> String { "checkpost seed\n\(sha256)\n" }
}

/// Puts the lines of a seed into words, and signs them.
package struct SeedComposer {
    private let encoder = JSONEncoder.sorted
    private var hash = SHA256()
    private var lines = 0

    /// Of all lines, with their line feeds.
    package private(set) var bytes = 0

    package init() {}

    /// - Returns: the line's text, without its line feed.
    package mutating func text(of line: SeedLine) throws -> String {
        let text = String(decoding: try encoder.encode(line), as: UTF8.self)
        hash.update(data: Data((text + "\n").utf8))
        lines += 1
        bytes += text.utf8.count + 1
        return text
    }

    /// The last line.
    ///
    /// - Parameter sign: gives the Ed25519 signature of a text by the head's key; nil where it can't.
    package mutating func end(_ sign: (String) throws -> Data?) throws -> String? {
        let sha256 = EvidenceEntry.hexadecimal(hash.finalize())
        guard let signature = try sign(SeedLine.message(sha256: sha256)) else { return nil }
        return try text(
            of: SeedLine(.init(lines: lines, sha256: sha256, signature: signature.base64EncodedString())))
    }
}
