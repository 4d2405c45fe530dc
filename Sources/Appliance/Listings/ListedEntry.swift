import Enforcement
import Foundation
import Storage

/// A queue entry as programs get it.
package struct ListedEntry: Encodable {
    package let id: Int64
    package let entity: String
    package let status: String
    package let isRefused: Bool
    package let attempts: Int
    package let lastError: String?
    package let createdAt: String
    package let lastAttemptAt: String?
    package let nextAttemptAt: String?
    package let isSentBySMS: Bool
    package let passage: String
    package let plate: String?
    package let text: String?
    package let recordedAt: String?
    package let serverID: String?
    package let photoPath: String?
    package let photoState: String?
    package let photoError: String?
    package let waitsFor: String?
    package let isSetAside: Bool

    /// Why it never goes by SMS.
    package let smsObstacle: String?

    package enum CodingKeys: String, CodingKey {
        case id, entity, status
        case isRefused = "refused"
        case isSetAside = "set_aside"
        case attempts
        case lastError = "last_error"
        case createdAt = "created_at"
        case lastAttemptAt = "last_attempt_at"
        case nextAttemptAt = "next_attempt_at"
        case isSentBySMS = "sms_sent"
        case smsObstacle = "sms_obstacle"
        case passage = "passage_client_id"
        case plate, text
        case recordedAt = "recorded_at"
        case serverID = "server_id"
        case photoPath = "photo_path"
        case photoState = "photo_state"
        case photoError = "photo_error"
        case waitsFor = "waits_for"
    }

    package init(_ entry: QueueEntry, store: Store) throws {
        id = entry.id
        entity = entry.entity.rawValue
        status = entry.status.rawValue
        isRefused = entry.isRefused
        isSetAside = entry.isSetAside
        attempts = entry.attempts
        lastError = entry.lastError
        createdAt = entry.createdAt.iso8601
        lastAttemptAt = entry.lastAttemptAt?.iso8601
        nextAttemptAt = entry.nextAttemptAt?.iso8601
        isSentBySMS = entry.smsSent
        passage = entry.passageClientID.uuidString.lowercased()
        let stored = try store.passages.passage(clientID: entry.passageClientID)
        let isUntrusted = entry.entity == .passage && stored?.passage.clockState == .untrusted
        smsObstacle = isUntrusted && !entry.smsSent ? "its clock isn't trusted, which a text can't say" : nil
        plate = stored?.passage.plate.compact
        text = stored?.passage.plate.canonical
        recordedAt = stored?.passage.recordedAt.iso8601
        serverID = stored?.serverID?.uuidString.lowercased()
        photoPath = stored?.photoPath
        let upload = try store.photos.upload(ofPassage: entry.passageClientID)
        photoState = upload?.status.rawValue
        photoError = upload.flatMap { upload in
            upload.lastError.map { (upload.isRefused ? "refused: " : "") + $0 }
        }
        waitsFor = try store.queue.obstacle(of: entry)?.text
    }

    package var smsText: String { isSentBySMS ? "yes" : "no" + (smsObstacle.map { ", \($0)" } ?? "") }

    package var stateText: String { isSetAside ? "set aside" : isRefused ? "refused" : status }
}
