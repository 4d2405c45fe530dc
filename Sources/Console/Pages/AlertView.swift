import Enforcement
import Foundation
import Storage

/// The codes of this post and of the one at the other end.
struct AlertPosts: Sendable {
    var own: String
    var other: String
}

/// An alert, or a violation on another page, as pages and programs get it.
struct AlertView: Encodable, Sendable {
    let id: String
    let kind: String
    let title: String
    let violationID: String?
    let overstayID: Int64?
    let passageID: String?
    let plate: String
    let type: String
    let typeText: String
    let speed: String?
    let limit: String?
    let tookLabel: String
    let took: String
    let lawful: String
    let entryTime: String
    let exitTime: String?

    /// The days of these, unless they are today.
    let entryDay: String?
    let exitDay: String?
    let exitBy: String?
    let pictures: [PictureView]
    let state: String

    /// What a doubtful overstay waits for.
    let waitsFor: [String]
    let isImplausible: Bool
    /// Whether it is silent here now: seen, put off, or the other post's.
    let isTouched: Bool

    /// speeding, late or inside.
    let alertKind: String

    /// What to do about it.
    let advice: String
    let isHere: Bool
    let isSeen: Bool

    /// Who has seen it or put it off, and where it is told; empty while it sounds.
    let standing: String
    let entryPost: String
    let exitPost: String

    /// The passage of this post, whose plate can be corrected.
    let ownPassageID: String?
    let raisedAt: String
    let raised: String
    let actionPath: String
    let actionText: String

    /// - Parameter picture: gives the picture of a passage, with a label.
    init(
        _ alert: RangerAlert, _ texts: Texts, at posts: AlertPosts, now: Instant,
        picture: (UUID, String) -> PictureView
    ) {
        id = alert.id
        kind = alert.kind.rawValue
        alertKind = alert.finding.rawValue
        title = texts[alert.finding.rawValue]
        advice = texts["do_" + alert.finding.rawValue]
        isTouched = !alert.sounds(at: now)
        isHere = alert.isHere
        isSeen = alert.touch?.isSeen == true
        standing = Self.standing(alert, texts, posts, now: now)
        raisedAt = alert.raisedAt.iso8601
        raised = NepalTime.short(alert.raisedAt, now: now)
        switch alert.subject {
        case .violation(let violation):
            let id = violation.id.uuidString.lowercased()
            violationID = id
            overstayID = nil
            passageID = nil
            entryPost = alert.isHere ? posts.other : posts.own
            exitPost = alert.isHere ? posts.own : posts.other
            ownPassageID = (alert.isHere ? violation.exitClientID : violation.entryClientID).uuidString.lowercased()
            plate = violation.plate.canonical
            type = violation.vehicleType.rawValue
            typeText = texts.type(violation.vehicleType)
            let figures = FindingFigures(violation, units: texts.units)
            speed = figures.speed.map { $0 + " " + texts["kmh"] } ?? texts["infinite"]
            limit =
                texts[violation.kind == .speeding ? "limit" : "lawful_min"] + " " + figures.limit
                + " " + texts["kmh"]
                + (figures.tolerance.map { ", " + texts("tolerance", ["kmh": "\($0) \(texts["kmh"])"]) } ?? "")
            tookLabel = texts["took"]
            took = figures.took
            lawful =
                texts[violation.kind == .speeding ? "lawful_min" : "lawful_max"] + " "
                + figures.lawful
            entryTime = NepalTime.clock(violation.entryTime)
            exitTime = NepalTime.clock(violation.exitTime)
            entryDay = NepalTime.otherDay(violation.entryTime, now: now)
            exitDay = NepalTime.otherDay(violation.exitTime, now: now)
            exitBy = nil
            pictures = [
                picture(violation.entryClientID, texts["entry"] + " " + entryPost),
                picture(violation.exitClientID, texts["exit"] + " " + exitPost),
            ]
            waitsFor = []
            state = texts[violation.state == .confirmed ? "confirmed" : "provisional"]
            isImplausible = violation.isImplausible
            actionPath = "/outcome?violation=\(id)"
            actionText = texts["record_outcome"]
        case .overstay(let stored):
            let alert = stored.alert
            violationID = nil
            overstayID = stored.id
            passageID = stored.alert.entryClientID.uuidString.lowercased()
            entryPost = isHere ? posts.own : posts.other
            exitPost = isHere ? posts.other : posts.own
            ownPassageID = isHere ? passageID : nil
            plate = alert.plate.canonical
            type = alert.vehicleType.rawValue
            typeText = texts.type(alert.vehicleType)
            speed = nil
            limit = nil
            tookLabel = texts["inside_for"]
            took = FindingFigures.text(now - alert.entryTime, units: texts.units)
            lawful =
                texts["lawful_max"] + " "
                + FindingFigures.text(alert.expectedExitBy - alert.entryTime, units: texts.units)
            entryTime = NepalTime.short(alert.entryTime, now: now)
            exitTime = nil
            (entryDay, exitDay) = (nil, nil)
            exitBy = NepalTime.short(alert.expectedExitBy, now: now)
            pictures = [picture(alert.entryClientID, texts["entry"] + " " + entryPost)]
            waitsFor = stored.doubts.map { texts.doubt($0, now: now) }
            state =
                texts[alert.isDoubtful ? "doubtful" : "certain"]
                + (waitsFor.isEmpty ? "" : ": " + waitsFor.joined(separator: "; "))
            isImplausible = false
            actionPath = "/overstays"
            actionText = texts["nav_overstays"].uppercased()
        }
    }

    private static func standing(
        _ alert: RangerAlert, _ texts: Texts, _ posts: AlertPosts, now: Instant
    ) -> String {
        guard alert.isHere else { return texts("alert_elsewhere", ["post": posts.other]) }
        guard let touch = alert.touch, !alert.sounds(at: now) else { return "" }
        return texts(
            touch.isSeen ? "seen_by" : "later_by",
            [
                "name": touch.by,
                "time": NepalTime.short(touch.isSeen ? touch.at : touch.at + AlertBoard.snooze, now: now),
            ])
    }

    /// One decimal, none where it is zero: `52.3`, `40`.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
