import Enforcement
import Foundation
import Storage

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
    let isTouched: Bool
    let raisedAt: String
    let raised: String
    let actionPath: String
    let actionText: String

    /// - Parameter picture: gives the picture of a passage, with a label.
    init(_ alert: RangerAlert, _ texts: Texts, now: Instant, picture: (UUID, String) -> PictureView) {
        id = alert.id
        kind = alert.kind.rawValue
        title = texts[alert.kind.rawValue]
        isTouched = alert.isTouched
        raisedAt = alert.raisedAt.iso8601
        raised = NepalTime.short(alert.raisedAt, now: now)
        switch alert.subject {
        case .violation(let violation):
            let id = violation.id.uuidString.lowercased()
            violationID = id
            overstayID = nil
            passageID = nil
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
                picture(violation.entryClientID, texts["entry"]), picture(violation.exitClientID, texts["exit"]),
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
            passageID = alert.entryClientID.uuidString.lowercased()
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
            pictures = [picture(alert.entryClientID, texts["entry"])]
            waitsFor = stored.doubts.map { texts.doubt($0, now: now) }
            state =
                texts[alert.isDoubtful ? "doubtful" : "certain"]
                + (waitsFor.isEmpty ? "" : ": " + waitsFor.joined(separator: "; "))
            isImplausible = false
            actionPath = "/overstays"
            actionText = texts["nav_overstays"].uppercased()
        }
    }

    /// One decimal, none where it is zero: `52.3`, `40`.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
