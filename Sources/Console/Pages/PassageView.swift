import Enforcement
import Foundation
import Pages
import Storage

/// A passage as pages and programs get it.
struct PassageView: Encodable, Sendable {
    let id: String
    let plate: String

    /// The plate in Devanagari; nil for a Latin one.
    let script: String?
    let raw: String
    let type: String
    let typeText: String
    let recordedAt: String

    /// For programs; `dayText` is for people.
    let day: String
    let dayText: String
    let time: String
    let post: String

    /// Whether the other post recorded it.
    let isOther: Bool
    let confidence: Double?
    let sureText: String
    let origin: String
    let originText: String
    let actedBy: String?
    let photo: String?
    let isMatched: Bool
    let isCorrected: Bool
    let isWithdrawn: Bool
    let violation: String?
    let violationText: String?
    let syncState: String?
    let syncText: String
    let clockState: String
    let clockText: String

    /// Nil where nobody knows.
    let travel: String?
    let travelText: String?

    init(_ stored: StoredPassage, _ texts: Texts) {
        let passage = stored.passage
        id = passage.clientID.uuidString.lowercased()
        plate = passage.plate.canonical
        script = PlateSpelling.shown(passage.plate, raw: passage.plateRaw)
        raw = passage.plateRaw
        type = passage.vehicleType.rawValue
        typeText = texts.type(passage.vehicleType)
        recordedAt = passage.recordedAt.iso8601
        day = NepalTime.day(passage.recordedAt)
        dayText = texts.day(passage.recordedAt)
        time = texts.clock(passage.recordedAt)
        post = passage.checkpostCode
        isOther = false
        confidence = passage.confidence
        sureText = passage.confidence.map { texts.digits("\(Int(($0 * 100).rounded())) %") } ?? texts["typed"]
        origin = passage.origin.rawValue
        originText = texts("origin_" + passage.origin.rawValue, ["name": passage.actedBy ?? "?"])
        actedBy = passage.actedBy
        photo = stored.photoRemovedAt == nil ? passage.photoSHA256 : nil
        isMatched = stored.isMatched
        isCorrected = stored.isCorrected
        isWithdrawn = stored.withdrawnAt != nil
        violation = stored.violation?.kind.rawValue
        violationText = stored.violation.map { texts["kind_" + $0.kind.rawValue] }
        syncState = stored.queueStatus?.rawValue
        syncText = texts["sync_" + (stored.queueStatus?.rawValue ?? "none")]
        clockState = passage.clockState.rawValue
        clockText = texts["clock_" + passage.clockState.rawValue]
        travel = passage.travel?.rawValue
        travelText = passage.travel.map { texts["travel_" + $0.rawValue] }
    }

    init(_ road: RoadPassage, _ texts: Texts) {
        switch road {
        case .own(let stored): self.init(stored, texts)
        case .other(let other): self.init(other, texts)
        }
    }

    /// What only the post that recorded it knows is empty.
    init(_ other: OtherPassage, _ texts: Texts) {
        let passage = other.passage
        id = passage.clientID.uuidString.lowercased()
        plate = passage.plate.canonical
        script = PlateSpelling.shown(passage.plate)
        raw = ""
        type = passage.vehicleType.rawValue
        typeText = texts.type(passage.vehicleType)
        recordedAt = passage.recordedAt.iso8601
        day = NepalTime.day(passage.recordedAt)
        dayText = texts.day(passage.recordedAt)
        time = texts.clock(passage.recordedAt)
        post = passage.checkpostCode
        isOther = true
        confidence = nil
        sureText = ""
        origin = "other_post"
        originText = passage.checkpostCode
        actedBy = nil
        photo = nil
        isMatched = other.isMatched
        isCorrected = false
        isWithdrawn = other.withdrawnAt != nil
        violation = other.violation?.kind.rawValue
        violationText = other.violation.map { texts["kind_" + $0.kind.rawValue] }
        syncState = nil
        syncText = ""
        clockState = passage.clockState.rawValue
        clockText = texts["clock_" + passage.clockState.rawValue]
        travel = passage.travel?.rawValue
        travelText = passage.travel.map { texts["travel_" + $0.rawValue] }
    }
}
