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
    private(set) var isOther = false
    private(set) var confidence: Double?
    private(set) var sureText = ""
    private(set) var origin = ""
    private(set) var originText = ""
    private(set) var actedBy: String?
    private(set) var photo: String?
    private(set) var isMatched = false
    private(set) var isCorrected = false
    private(set) var isWithdrawn = false
    let violation: String?
    let violationText: String?
    private(set) var syncState: String?
    private(set) var syncText = ""

    /// As a loop or a radar at this post measured it; nil where none did.
    private(set) var speedAtPost: String?
    let clockState: String
    let clockText: String

    /// Nil where nobody knows.
    let travel: String?
    let travelText: String?

    init(_ road: RoadPassage, _ texts: Texts) {
        switch road {
        case .own(let stored): self.init(stored, texts)
        case .other(let other): self.init(other, texts)
        }
    }

    init(_ stored: StoredPassage, _ texts: Texts) {
        let passage = stored.passage
        self.init(MatchablePassage(passage), raw: passage.plateRaw, violation: stored.violation, texts)
        confidence = passage.confidence
        sureText = passage.confidence.map { texts.digits("\(Int(($0 * 100).rounded())) %") } ?? texts["typed"]
        origin = passage.origin.rawValue
        originText = texts("origin_" + passage.origin.rawValue, ["name": passage.actedBy ?? "?"])
        actedBy = passage.actedBy
        photo = stored.photoRemovedAt == nil ? passage.photoSHA256 : nil
        isMatched = stored.isMatched
        isCorrected = stored.isCorrected
        isWithdrawn = stored.withdrawnAt != nil
        speedAtPost = stored.speedAtPostKmh.map { texts.digits(Wording.decimal($0)) + " " + texts["kmh"] }
        syncState = stored.queueStatus?.rawValue
        syncText = texts["sync_" + (stored.queueStatus?.rawValue ?? "none")]
    }

    /// What only the post that recorded it knows is empty.
    init(_ other: OtherPassage, _ texts: Texts) {
        self.init(other.passage, violation: other.violation, texts)
        isOther = true
        origin = "other_post"
        originText = other.passage.checkpostCode
        isMatched = other.isMatched
        isWithdrawn = other.withdrawnAt != nil
    }

    /// What is known of a passage of either post.
    ///
    /// - Parameter raw: as the camera read it; empty where that isn't known.
    private init(_ passage: MatchablePassage, raw: String = "", violation found: Violation?, _ texts: Texts) {
        id = passage.clientID.uuidString.lowercased()
        plate = passage.plate.canonical
        script = PlateSpelling.shown(passage.plate, raw: raw)
        self.raw = raw
        type = passage.vehicleType.rawValue
        typeText = texts.type(passage.vehicleType)
        recordedAt = passage.recordedAt.iso8601
        day = NepalTime.day(passage.recordedAt)
        dayText = texts.day(passage.recordedAt)
        time = texts.clock(passage.recordedAt)
        post = passage.checkpostCode
        violation = found?.kind.rawValue
        violationText = found.map { texts["kind_" + $0.kind.rawValue] }
        clockState = passage.clockState.rawValue
        clockText = texts["clock_" + passage.clockState.rawValue]
        travel = passage.travel?.rawValue
        travelText = passage.travel.map { texts["travel_" + $0.rawValue] }
    }
}
