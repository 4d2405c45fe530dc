import Foundation

/// What the text console shows and what its keys do. It knows neither terminal nor network: keys go in, requests come out, and
/// lines of a given width are drawn of it.
struct WatchScreen {
    enum Key: Equatable {
        case character(Character)
        case enter, escape, backspace, up, down
    }

    /// Something to ask of the console's API.
    enum Request: Equatable {
        case record
        case submit(id: String, plate: String)
        case discard(id: String)
        case later(id: String)
        case outcome(violation: String, kind: String, fine: String)
        case dismiss(overstay: String, reason: String)
        case search(String)
        case quit
    }

    struct Passage: Decodable, Equatable {
        var day: String
        var time: String
        var plate: String
        var typeText: String
        var violationText: String?
        var syncText: String
    }

    struct Review: Decodable, Equatable {
        var id: String
        var plate: String
        var time: String
        var candidates: [String]
    }

    struct Alert: Decodable, Equatable {
        var id: String
        var title: String
        var plate: String
        var typeText: String
        var speed: String?
        var limit: String?
        var took: String
        var lawful: String
        var state: String
        var isTouched: Bool
        var violationID: String?
        var overstayID: Int?

        enum CodingKeys: String, CodingKey {
            case id, title, plate, typeText, speed, limit, took, lawful, state, isTouched
            // The key "violation_id" becomes "violationId" on its way through the decoder.
            case violationID = "violationId"
            case overstayID = "overstayId"
        }
    }

    enum Place: Equatable {
        case passages
        case reviews
        case alerts
        case plate(id: String)
        case outcome(alert: Alert)
        case fine(violation: String)
        case reason(overstay: String)
        case search
        case found
    }

    static let outcomes = [
        ("1", "warned"), ("2", "fined"), ("3", "let_go"), ("4", "not_found"), ("5", "other"),
    ]

    var place = Place.passages
    var chips: [String] = []
    var passages: [Passage] = []
    var found: [Passage] = []
    var reviews: [Review] = []
    var alerts: [Alert] = []

    /// Why there is nothing new; nil while the box answers.
    var lost: String?
    var message = ""
    private(set) var typed = ""
    private(set) var selected = 0

    var isSounding: Bool { alerts.contains { !$0.isTouched } }

    mutating func handle(_ key: Key) -> [Request] {
        switch place {
        case .passages, .found: return handleList(key)
        case .reviews, .alerts: return handleChoice(key)
        case .plate(let id):
            return handleTyping(key) { plate in
                plate.isEmpty ? [] : [.submit(id: id, plate: plate)]
            }
        case .search: return handleTyping(key) { $0.isEmpty ? [] : [.search($0)] }
        case .fine(let violation):
            return handleTyping(key) { [.outcome(violation: violation, kind: "fined", fine: $0)] }
        case .reason(let overstay):
            return handleTyping(key) { $0.isEmpty ? [] : [.dismiss(overstay: overstay, reason: $0)] }
        case .outcome(let alert): return handleOutcome(key, alert)
        }
    }

    /// Begins to type the plate of a vehicle that was just kept.
    mutating func open(review id: String) {
        go(.plate(id: id), typed: reviews.first { $0.id == id }?.plate ?? "")
    }

    private mutating func go(_ place: Place, typed: String = "") {
        self.place = place
        self.typed = typed
        selected = 0
    }

    private mutating func handleList(_ key: Key) -> [Request] {
        message = ""
        switch key {
        case .character("q"): return [.quit]
        case .character("r"): return [.record]
        case .character("v"): go(.reviews)
        case .character("a"): go(.alerts)
        case .character("/"): go(.search)
        case .character("l"):
            return alerts.first { !$0.isTouched }.map { [.later(id: $0.id)] } ?? []
        case .up: selected = max(0, selected - 1)
        case .down: selected += 1
        default: go(.passages)
        }
        return []
    }

    private mutating func handleChoice(_ key: Key) -> [Request] {
        let count = place == .reviews ? reviews.count : alerts.count
        selected = min(selected, max(0, count - 1))
        switch key {
        case .escape, .character("q"): go(.passages)
        case .up, .character("k"): selected = max(0, selected - 1)
        case .down, .character("j"): selected = min(max(0, count - 1), selected + 1)
        case .enter where place == .reviews && count > 0:
            let review = reviews[selected]
            go(.plate(id: review.id), typed: review.plate)
        case .character("d") where place == .reviews && count > 0: return [.discard(id: reviews[selected].id)]
        case .enter where place == .alerts && count > 0:
            let alert = alerts[selected]
            if let overstay = alert.overstayID {
                go(.reason(overstay: "\(overstay)"))
            } else {
                go(.outcome(alert: alert))
            }
            if !alert.isTouched { return [.later(id: alert.id)] }
        case .character("l") where place == .alerts && count > 0: return [.later(id: alerts[selected].id)]
        default: break
        }
        return []
    }

    private mutating func handleTyping(_ key: Key, done: (String) -> [Request]) -> [Request] {
        switch key {
        case .character(let character): if typed.count < 200 { typed.append(character) }
        case .backspace: _ = typed.popLast()
        case .escape: go(.passages)
        case .enter:
            let requests = done(typed.trimmingCharacters(in: .whitespaces))
            if !requests.isEmpty { go(place == .search ? .found : .passages) }
            return requests
        case .up, .down: break
        }
        return []
    }

    private mutating func handleOutcome(_ key: Key, _ alert: Alert) -> [Request] {
        guard let violation = alert.violationID else {
            go(.alerts)
            return []
        }
        if key == .escape { go(.alerts) }
        guard case .character(let character) = key,
            let kind = Self.outcomes.first(where: { $0.0 == String(character) })?.1
        else { return [] }
        if kind == "fined" {
            go(.fine(violation: violation))
            return []
        }
        go(.passages)
        return [.outcome(violation: violation, kind: kind, fine: "")]
    }
}
