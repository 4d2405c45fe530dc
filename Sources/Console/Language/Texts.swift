import Enforcement
import Foundation

/// What the console says, in one language. Each language is one file of texts by name.
struct Texts: Sendable {
    let language: String
    let all: [String: String]

    static let languages = ["en", "ne"]

    static let english = Texts(language: "en", PackageResources.en_json)
    static let nepali = Texts(language: "ne", PackageResources.ne_json)

    static func of(_ language: String?) -> Texts { language == "ne" ? nepali : english }

    private init(language: String, _ file: [UInt8]) {
        self.language = language
        all = (try? JSONDecoder().decode([String: String].self, from: Data(file))) ?? [:]
    }

    var otherLanguage: String { language == "ne" ? "en" : "ne" }

    /// The text, or its name where there is none: a hole must be seen.
    subscript(name: String) -> String { all[name] ?? name }

    /// The text with `{name}` replaced.
    func callAsFunction(_ name: String, _ values: [String: String]) -> String {
        values.reduce(self[name]) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    /// Why an overstay may be none.
    func doubt(_ doubt: OverstayDoubt, now: Instant) -> String {
        switch doubt {
        case .looksAlike(let plate, let at):
            self("doubt_alike", ["plate": plate.canonical, "time": NepalTime.short(at, now: now)])
        case .waitsForReview(let at): self("doubt_review", ["time": NepalTime.short(at, now: now)])
        case .reviewsUnknown: self["doubt_unknown"]
        }
    }

    func type(_ type: VehicleType) -> String { self["type_" + type.rawValue] }

    /// `3 s`, `5 min`, `2 h 10 min`, `3 d`: at most two numbers.
    func span(_ span: TimeSpan) -> String {
        let seconds = max(0, span.wholeSeconds)
        if seconds < 60 { return "\(seconds) \(self["unit_s"])" }
        if seconds < 3600 { return "\(seconds / 60) \(self["unit_min"])" }
        if seconds < 86_400 { return "\(seconds / 3600) \(self["unit_h"]) \(seconds / 60 % 60) \(self["unit_min"])" }
        return "\(seconds / 86_400) \(self["unit_d"])"
    }
}

/// Times as a clock in Nepal shows them.
enum NepalTime {
    /// `2026-11-21`
    static func day(_ instant: Instant) -> String { CivilTime(instant, offset: CivilTime.nepalOffset).dateText }

    /// `16:00:30`
    static func clock(_ instant: Instant) -> String { CivilTime(instant, offset: CivilTime.nepalOffset).clockText }

    /// `16:00`, with the day before it unless it is today.
    static func short(_ instant: Instant, now: Instant) -> String {
        let time = String(clock(instant).prefix(5))
        return day(instant) == day(now) ? time : "\(day(instant)) \(time)"
    }

    /// The day, unless it is today.
    static func otherDay(_ instant: Instant, now: Instant) -> String? {
        day(instant) == day(now) ? nil : day(instant)
    }

    /// When a day begins; nil for what is no day.
    static func start(ofDay text: String) -> Instant? {
        CivilTime(day: text)?.instant(offset: CivilTime.nepalOffset)
    }
}

extension Texts {
    /// The same language with some texts filled in.
    func replacing(_ all: [String: String]) -> Texts { Texts(language: language, all: all) }

    private init(language: String, all: [String: String]) {
        self.language = language
        self.all = all
    }
}
