import Enforcement
import Foundation

/// What pages say, in one language. Each language is one file of texts by name: what all pages say is here, the rest is each program's own.
package struct Texts: Sendable {
    package let language: String
    package let all: [String: String]

    /// Whether days are given in Bikram Sambat too. Programs get them plain.
    package private(set) var hasBothCalendars = true

    package static let languages = ["en", "ne"]

    /// - Parameter file: the program's own texts in this language, JSON. Where it has one by a name of ours, it is its own that counts.
    package init(language: String, _ file: [UInt8]) {
        self.language = language
        let shared = language == "ne" ? PackageResources.ne_json : PackageResources.en_json
        all = Self.texts(shared).merging(Self.texts(file)) { $1 }
    }

    private static func texts(_ file: [UInt8]) -> [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(file))) ?? [:]
    }

    package var otherLanguage: String { language == "ne" ? "en" : "ne" }

    /// The text, or its name where there is none: a hole must be seen.
    package subscript(name: String) -> String { all[name] ?? name }

    /// The text with `{name}` replaced.
    package func callAsFunction(_ name: String, _ values: [String: String]) -> String {
        values.reduce(self[name]) { text, value in
            let isNumber = Self.numbers.contains(value.key)
            return text.replacingOccurrences(of: "{\(value.key)}", with: isNumber ? digits(value.value) : value.value)
        }
    }

    /// The places in texts that take figures. Plates and names are none.
    private static let numbers: Set<String> = ["time", "count", "age", "kmh", "bars", "alerts", "reviews"]

    /// Figures as the language writes them: `१२:००` for `12:00` in Nepali. Plates keep the digits that they are recorded with.
    package func digits(_ text: String) -> String {
        guard language == "ne" else { return text }
        return String(
            text.map { letter in
                letter.isASCII
                    ? letter.wholeNumberValue.map { Character(DevanagariAlphabet.devanagariDigit($0)) } ?? letter
                    : letter
            })
    }

    /// Why an overstay may be none.
    package func doubt(_ doubt: OverstayDoubt, now: Instant) -> String {
        switch doubt {
        case .looksAlike(let plate, let at):
            self("doubt_alike", ["plate": plate.canonical, "time": short(at, now: now)])
        case .waitsForReview(let at): self("doubt_review", ["time": short(at, now: now)])
        case .unwatched(let start, let end):
            self("doubt_unwatched", ["from": short(start, now: now), "time": short(end, now: now)])
        case .toldByText(let at): self("doubt_text", ["time": short(at, now: now)])
        case .reviewsUnknown: self["doubt_unknown"]
        }
    }

    package var units: FindingFigures.Units {
        FindingFigures.Units(
            day: self["unit_d"], hour: self["unit_h"], minute: self["unit_min"], second: self["unit_s"])
    }

    package func type(_ type: VehicleType) -> String { self["type_" + type.rawValue] }

    /// `Rs 500`; empty where there is none.
    package func fine(_ outcome: Outcome) -> String { outcome.fineAmount.map(rupees) ?? "" }

    /// `Rs 500`.
    package func rupees(_ amount: Double) -> String { digits(self["rupee_sign"] + " " + Outcome.sum(amount)) }

    /// `3 s`, `5 min`, `2 h 10 min`, `3 d`: at most two numbers.
    package func span(_ span: TimeSpan) -> String {
        let seconds = max(0, span.wholeSeconds)
        if seconds < 60 { return digits("\(seconds) \(self["unit_s"])") }
        if seconds < 3600 { return digits("\(seconds / 60) \(self["unit_min"])") }
        if seconds < 86_400 {
            return digits("\(seconds / 3600) \(self["unit_h"]) \(seconds / 60 % 60) \(self["unit_min"])")
        }
        return digits("\(seconds / 86_400) \(self["unit_d"])")
    }
}

extension Texts {
    /// `16:00:30`
    package func clock(_ instant: Instant) -> String { digits(NepalTime.clock(instant)) }

    /// `16:00`
    package func minute(_ instant: Instant) -> String { digits(String(NepalTime.clock(instant).prefix(5))) }

    /// `2026-11-21 (2083-08-05 BS)`: the calendar of the state beside that of the rest of the world, the reader's own first.
    package func day(_ instant: Instant) -> String {
        let day = NepalTime.day(instant)
        guard hasBothCalendars, let state = BikramSambat(instant) else { return digits(day) }
        return digits(self("both_calendars", ["gregorian": day, "state": state.text]))
    }

    /// Day and time of day: `2026-11-21 (2083-08-05 BS) 16:00:30`.
    package func moment(_ instant: Instant) -> String { day(instant) + " " + clock(instant) }

    /// The day, unless it is today.
    package func otherDay(_ instant: Instant, now: Instant) -> String? {
        NepalTime.day(instant) == NepalTime.day(now) ? nil : day(instant)
    }

    /// `16:00`, with the day before it unless it is today.
    package func short(_ instant: Instant, now: Instant) -> String {
        [otherDay(instant, now: now), minute(instant)].compactMap(\.self).joined(separator: " ")
    }

    /// For programs: days in one calendar.
    package var plain: Texts {
        var texts = self
        texts.hasBothCalendars = false
        return texts
    }

    /// The same language with some texts filled in.
    package func replacing(_ all: [String: String]) -> Texts { Texts(language: language, all: all) }

    private init(language: String, all: [String: String]) {
        self.language = language
        self.all = all
    }
}
