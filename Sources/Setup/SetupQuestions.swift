import Appliance
import Enforcement
import Foundation

/// The questions of `setup`, in order. Each answer is remembered as it is given.
package struct SetupQuestions {
    package internal(set) var answers: SetupAnswers
    let dialogue: Dialogue
    let files: SetupFiles

    /// What stood when the questions began.
    let standing: SetupAnswers

    /// The box may become another post though records wait, after a typed word.
    private let isForced: Bool

    package init(answers: SetupAnswers, dialogue: Dialogue, files: SetupFiles, isForced: Bool = false) {
        self.isForced = isForced
        self.answers = answers
        self.dialogue = dialogue
        self.files = files
        standing = answers
    }

    /// What the cameras are tried with is what the box reads with.
    package mutating func take(models: String?, country: String?) {
        if let models {
            answers["reader", "models"] = .text(URL(fileURLWithPath: models).standardizedFileURL.path)
        }
        if let country { answers["reader", "country"] = .text(country) }
    }

    /// - Returns: whether the answers are to be written.
    package mutating func ask() throws -> Bool {
        dialogue.show("This post.")
        // Whoever went back gives cameras anew.
        (answers.cameras, answers.unfinishedCamera) = (standing.cameras, standing.unfinishedCamera)
        try askPost()
        try askSegment()
        let folder = try askFolder()
        try askCameras(incoming: folder + "/incoming")
        try askServer()
        try askModem()
        // The page for the post's own screen; `checkpost user add` lets people in.
        if answers.sections["console"] == nil { answers.sections["console"] = [:] }
        dialogue.show("\n\(answers.toml)")
        return try dialogue.confirm("Write this to \(files.path)?", standard: true)
    }

    mutating func keep(_ section: String, _ key: String, _ value: SetupAnswers.Value?) throws {
        answers[section, key] = value
        try files.remember(answers)
    }

    func text(_ section: String, _ key: String) -> String? { answers[section, key]?.text }

    private mutating func askText(
        _ section: String, _ key: String, _ question: String, standard: String? = nil,
        check: (String) -> String? = { _ in nil }
    ) throws -> String {
        let answer = try dialogue.ask(question, standard: text(section, key) ?? standard, check: check)
        try keep(section, key, .text(answer))
        return answer
    }

    private mutating func askPost() throws {
        func check(_ text: String) -> String? { ShortName.isValid(text) ? nil : "\(ShortName.allowed)." }
        let asked = self
        let code = try askText("post", "code", "Code of this post, such as BNP-A") { text in
            if let problem = check(text) { return problem }
            guard !asked.isForced, let left = asked.leaves(text) else { return nil }
            return "\(left) Let them go first: checkpost sync --now; or start again with --force."
        }
        if isForced, let left = leaves(code) {
            dialogue.show("  \(left) They stay on this box, and nobody sends them while it is \(code).")
            _ = try dialogue.ask("Type \(Self.moveWord) to go on all the same") {
                $0 == Self.moveWord ? nil : "Or < to go back."
            }
        }
        _ = try askText("post", "name", "Its name for people", standard: code)
        _ = try askText("post", "other_code", "Code of the post at the other end") { text in
            text == code ? "That is this post." : check(text)
        }
        let stands = answers["post", "position"]?.number.map { String(Int($0)) } ?? "0"
        let position = try dialogue.choose(
            "Which end of the road is this? One post is 0, and the other 1", ["0", "1"], standard: stands)
        try keep("post", "position", .whole(Int(position) ?? 0))
    }

    private static let moveWord = "MOVE"

    /// What a box that becomes this post would leave behind, in words; nil when nothing.
    private func leaves(_ code: String) -> String? {
        Self.leaves(text("data", "folder") ?? Configuration().dataFolder, unless: code) {
            "This box has been \($0.post), and \(Self.waiting($0))."
        }
    }

    /// What waits in a folder, unless it is this post's; where that can't be read, it is not taken for nothing.
    private static func leaves(_ folder: String, unless code: String?, words: (PostMove.Left) -> String) -> String? {
        do {
            return try PostMove.left(in: folder, by: code).map(words)
        } catch {
            return "Whether records wait in \(folder) can't be said: \(error)"
        }
    }

    var place: ConfiguredPlace {
        ConfiguredPlace(
            code: text("post", "code") ?? "", otherCode: text("post", "other_code") ?? "",
            position: answers["post", "position"]?.number.map { Int($0) } ?? 0)
    }

    private mutating func askNumber(
        _ key: String, _ question: String, standard: Double?, in range: ClosedRange<Double>
    ) throws -> Double {
        let stands = answers["segment", key]?.number.flatMap { range.contains($0) ? $0 : nil }
        let number = try dialogue.number(question, standard: stands ?? standard, in: range)
        try keep("segment", key, .number(number))
        return number
    }

    private mutating func askSegment() throws {
        let name = try askText("segment", "name", "Name of the road or the park", standard: "Banke National Park")
        // Every speed follows from it: nobody gets one by pressing Enter.
        let distance = try askNumber(
            "distance_km", "Distance between the posts in km, as it was measured along the road", standard: nil,
            in: 0.01...9999.99)
        let highest = try askNumber(
            "max_speed_kmh", "Highest lawful average speed in km/h", standard: 40, in: 0.02...300)
        let lowest = try askNumber(
            "min_speed_kmh", "Lowest average speed in km/h", standard: min(10, highest / 2), in: 0.01...(highest - 0.01)
        )
        // Courts want a margin for the measurement. The larger of the two counts.
        let kmh = try askNumber(
            "tolerance_kmh", "Tolerance in km/h", standard: lowest > 3 ? 3 : 0, in: 0...min(100, max(0, lowest - 0.01)))
        let percent = try askNumber(
            "tolerance_percent", "Tolerance in percent of the limit", standard: 3, in: 0...Tolerance.maximumPercent)
        let segment = Segment(
            name: name, distanceKm: distance, maxSpeedKmh: highest, minSpeedKmh: lowest, toleranceKmh: kmh,
            tolerancePercent: percent)
        dialogue.show(
            "  A vehicle is speeding below \(Wording.span(segment.shortestTravelTime)) and overstays beyond "
                + "\(Wording.span(segment.longestTravelTime)).")
        try askWindow(for: segment)
    }

    /// The slowest lawful vehicle still has to be matched: where a day is too short, the window is set to what is needed.
    private mutating func askWindow(for segment: Segment) throws {
        let standing = answers["matching", "window_hours"]?.number ?? PassageMatcher.defaultWindow.hours
        guard TimeSpan.hours(standing) <= segment.longestTravelTime else { return }
        let needed = min(240, segment.longestTravelTime.hours.rounded(.up) + 1)
        dialogue.show("  So passages are matched within \(Int(needed)) hours.")
        try keep("matching", "window_hours", .number(needed))
    }

    private mutating func askFolder() throws -> String {
        let asked = self
        return try askText("data", "folder", "Folder for records and pictures", standard: "/var/lib/checkpost") {
            text in
            guard text.hasPrefix("/") else {
                return "The whole path, which begins with /: the box may start anywhere."
            }
            let before = asked.standing["data", "folder"]?.text
            guard !asked.isForced, let before, before != text else { return nil }
            return Self.leaves(before, unless: nil) { "In \(before) \(Self.waiting($0))." }.map {
                $0 + " Let them go first: checkpost sync --now; or start again with --force."
            }
        }
    }

    private static func waiting(_ left: PostMove.Left) -> String {
        let verb = left.waiting == 1 ? "waits" : "wait"
        return "\(Wording.count(left.waiting, "record")) of \(left.post) \(verb) for the server"
    }

    /// Tries one thing, once: on the way back its outcome is remembered.
    func isWell(_ check: String, _ answers: SetupAnswers) throws -> SetupTrial.Outcome {
        let status = try dialogue.once {
            do {
                return try SetupTrial(answers, owner: files.owner).run(check).rawValue
            } catch {
                dialogue.show("  \(error)")
                return SetupTrial.Outcome.failed.rawValue
            }
        }
        return SetupTrial.Outcome(rawValue: status) ?? .failed
    }
}
