import Enforcement
import Foundation
import Pages
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
    private(set) var violationID: String?
    private(set) var overstayID: Int64?
    private(set) var passageID: String?
    let plate: String

    /// The plate in Devanagari; nil for a Latin one.
    let script: String?
    let type: String
    let typeText: String
    private(set) var speed: String?
    private(set) var limit: String?
    private(set) var tolerance: String?

    /// What must be read from afar beside the plate: the limit, or whether it may have left.
    private(set) var short: String = ""
    private(set) var tookLabel: String = ""
    private(set) var took: String = ""

    /// The same without the spaces before its units: beside two times there is little room on a small screen.
    private(set) var tookTight: String = ""
    private(set) var lawful: String = ""
    private(set) var entryTime: String = ""

    /// The time of day alone.
    private(set) var entryClock: String = ""
    private(set) var exitTime: String?
    private(set) var entryLabel: String

    /// How often the plate broke a limit before; nil for never.
    var earlier: String?

    /// The days of these, unless they are today.
    private(set) var entryDay: String?
    private(set) var exitDay: String?
    private(set) var exitBy: String?
    private(set) var pictures: [PictureView] = []
    private(set) var state: String = ""

    /// Type, what was lawful, tolerance and state, of those that it has.
    private(set) var details: String = ""

    /// What a doubtful overstay waits for.
    private(set) var waitsFor: [String] = []
    private(set) var isImplausible: Bool = false
    /// Whether it is silent here now: seen, put off, or the other post's.
    let isTouched: Bool

    /// speeding, late, inside, wanted or closed.
    let alertKind: String

    /// What to do about it.
    private(set) var advice: String
    let isHere: Bool
    let isSeen: Bool

    /// Who has seen it or put it off, and where it is told; empty while it sounds.
    let standing: String
    let entryPost: String
    let exitPost: String

    /// The passage of this post, whose plate can be corrected.
    private(set) var ownPassageID: String?
    let raisedAt: String
    let raised: String
    private(set) var actionPath: String = ""
    private(set) var actionText: String = ""

    /// - Parameter picture: gives the picture of a passage, with a label.
    init(
        _ alert: RangerAlert, _ texts: Texts, at posts: AlertPosts, now: Instant,
        picture: (UUID, String) -> PictureView?
    ) {
        id = alert.id
        kind = alert.kind
        alertKind = alert.finding.rawValue
        entryLabel = texts[[.wanted, .closed].contains(alert.finding) ? "wanted_passed" : "entry"]
        title = texts[alert.finding.rawValue]
        advice = texts["do_" + alert.finding.rawValue]
        isTouched = !alert.sounds(at: now)
        isHere = alert.isHere
        isSeen = alert.touch?.isSeen == true
        standing = Self.standing(alert, texts, posts, now: now)
        raisedAt = alert.raisedAt.iso8601
        raised = texts.short(alert.raisedAt, now: now)
        // Whoever answers for it is where the vehicle came out, or where it went in and has not come out.
        let isEntryHere = [.inside, .wanted, .closed].contains(alert.finding) ? alert.isHere : !alert.isHere
        (entryPost, exitPost) = isEntryHere ? (posts.own, posts.other) : (posts.other, posts.own)
        switch alert.subject {
        case .violation(let violation):
            plate = violation.plate.canonical
            script = PlateSpelling.shown(violation.plate)
            type = violation.vehicleType.rawValue
            typeText = texts.type(violation.vehicleType)
            show(violation, texts, now: now, picture: picture)
        case .overstay(let stored):
            plate = stored.alert.plate.canonical
            script = PlateSpelling.shown(stored.alert.plate)
            type = stored.alert.vehicleType.rawValue
            typeText = texts.type(stored.alert.vehicleType)
            show(stored, texts, now: now, picture: picture)
        case .wanted(let sight):
            plate = sight.wanted.plate.canonical
            script = PlateSpelling.shown(sight.wanted.plate)
            type = sight.vehicleType.rawValue
            typeText = texts.type(sight.vehicleType)
            show(sight, texts, now: now, picture: picture)
        case .closed(let sight):
            plate = sight.plate.canonical
            script = PlateSpelling.shown(sight.plate)
            type = sight.vehicleType.rawValue
            typeText = texts.type(sight.vehicleType)
            showPassage(sight.passageClientID, at: sight.recordedAt, texts, now: now, picture: picture)
            tookLabel = texts["closed_hours"]
            took = texts.digits(sight.closed.hours.text)
            state = texts.said(sight.closed)
        }
        details = [typeText, lawful, tolerance ?? "", state, isImplausible ? texts["implausible"] : ""].filter {
            !$0.isEmpty
        }.joined(separator: " · ")
        tookTight = took.replacing(/(\p{Nd}) (?=\p{L})/) { String($0.output.1) }
    }

    private mutating func show(
        _ violation: Violation, _ texts: Texts, now: Instant, picture: (UUID, String) -> PictureView?
    ) {
        let id = violation.id.uuidString.lowercased()
        violationID = id
        ownPassageID = (isHere ? violation.exitClientID : violation.entryClientID).uuidString.lowercased()
        let figures = FindingFigures(violation, units: texts.units)
        speed = figures.speed.map { texts.digits($0) + " " + texts["kmh"] } ?? texts["infinite"]
        short =
            texts[violation.kind == .speeding ? "limit" : "lawful_min"] + " " + texts.digits(figures.limit) + " "
            + texts["kmh"]
        tolerance = figures.tolerance.map { texts("tolerance", ["kmh": "\($0) \(texts["kmh"])"]) }
        limit = [short, tolerance].compactMap(\.self).joined(separator: ", ")
        tookLabel = texts["took"]
        took = texts.digits(figures.took)
        lawful = texts[violation.kind == .speeding ? "lawful_min" : "lawful_max"] + " " + texts.digits(figures.lawful)
        entryTime = texts.clock(violation.entryTime)
        entryClock = entryTime
        exitTime = texts.clock(violation.exitTime)
        entryDay = Self.farDay(violation.entryTime, texts, now: now)
        exitDay = Self.farDay(violation.exitTime, texts, now: now)
        pictures = [
            picture(violation.entryClientID, texts["entry"] + " " + entryPost),
            picture(violation.exitClientID, texts["exit"] + " " + exitPost),
        ].compactMap(\.self)
        state = texts[violation.state.rawValue]
        isImplausible = violation.isImplausible
        if isImplausible { advice = texts["do_implausible"] }
        actionPath = "/outcome?violation=\(id)"
        actionText = texts["record_outcome"]
    }

    /// The day of a moment that a clock time doesn't tell: none within a day, also over midnight, and in one calendar, since an alert has
    /// to fit on the screen.
    static func farDay(_ instant: Instant, _ texts: Texts, now: Instant) -> String? {
        (now - instant).magnitude < .hours(24) ? nil : texts.plain.otherDay(instant, now: now)
    }

    private mutating func show(
        _ stored: StoredOverstayAlert, _ texts: Texts, now: Instant, picture: (UUID, String) -> PictureView?
    ) {
        let alert = stored.alert
        overstayID = stored.id
        passageID = alert.entryClientID.uuidString.lowercased()
        ownPassageID = isHere ? passageID : nil
        tookLabel = texts["inside_for"]
        // It goes on: seconds would be old before they are read.
        let minutes = TimeSpan.minutes(((now - alert.entryTime).minutes).rounded(.down))
        took = texts.digits(FindingFigures.text(minutes, units: texts.units))
        let longest = FindingFigures.text(alert.expectedExitBy - alert.entryTime, units: texts.units)
        lawful = texts["lawful_max"] + " " + texts.digits(longest)
        entryTime = texts.short(alert.entryTime, now: now)
        entryClock = texts.minute(alert.entryTime)
        entryDay = Self.farDay(alert.entryTime, texts, now: now)
        exitBy = texts.short(alert.expectedExitBy, now: now)
        pictures = [picture(alert.entryClientID, texts["entry"] + " " + entryPost)].compactMap(\.self)
        waitsFor = stored.doubts.map { texts.doubt($0, now: now) }
        short = texts[alert.isDoubtful ? "doubtful" : "certain"]
        state = ([short] + (waitsFor.isEmpty ? [] : [waitsFor.joined(separator: "; ")])).joined(separator: ": ")
        actionPath = "/overstays#overstay-\(stored.id)"
        actionText = texts["nav_overstays"].uppercased()
    }

    private mutating func show(
        _ sight: WantedSight, _ texts: Texts, now: Instant, picture: (UUID, String) -> PictureView?
    ) {
        showPassage(sight.passageClientID, at: sight.recordedAt, texts, now: now, picture: picture)
        tookLabel = texts["wanted_by"]
        took = sight.wanted.addedBy ?? texts["list_of_park"]
        advice = sight.wanted.reason
        state = sight.wanted.reason
        lawful = texts("wanted_since", ["time": texts.short(sight.wanted.addedAt, now: now)])
    }

    /// A passage of this post that is an alert by itself.
    private mutating func showPassage(
        _ id: UUID, at recordedAt: Instant, _ texts: Texts, now: Instant, picture: (UUID, String) -> PictureView?
    ) {
        passageID = id.uuidString.lowercased()
        ownPassageID = passageID
        entryTime = texts.short(recordedAt, now: now)
        entryClock = texts.clock(recordedAt)
        entryDay = Self.farDay(recordedAt, texts, now: now)
        pictures = [picture(id, entryLabel + " " + entryPost)].compactMap(\.self)
        actionPath = "/passage?id=" + id.uuidString.lowercased()
        actionText = texts["wanted_open"]
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
                "time": texts.short(touch.isSeen ? touch.at : touch.at + AlertBoard.snooze, now: now),
            ])
    }

    /// One decimal, none where it is zero: `52.3`, `40`.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
