import Enforcement
import Foundation

/// What the text console shows and what its keys do. It knows neither terminal nor network: keys go in, requests come out, and
/// lines of a given width are drawn of it.
struct WatchScreen {
    enum Key: Equatable {
        case character(Character)
        case enter, escape, backspace, up, down, tab
    }

    /// Something to ask of the console's API.
    enum Request: Equatable {
        case record
        /// Without a type the box guesses it from the plate.
        case submit(id: String, plate: String, type: String?)
        case discard(id: String)
        case later(id: String)
        case outcome(violation: String, kind: String, fine: String, notes: String)
        case dismiss(overstay: String, reason: String)
        case correct(passage: String, plate: String, reason: String)
        case withdraw(passage: String, reason: String)
        case search(String)
        case quit
    }

    enum Place: Equatable {
        case passages
        case found
        case passage(Passage)
        case correction(of: Passage)
        case correctionReason(of: Passage, plate: String)
        case withdrawal(of: Passage)
        case reviews
        case plate(id: String)
        case alerts
        case overstays
        case outcome(alert: Alert)
        case fine(violation: String)
        case notes(violation: String, kind: String, fine: String)
        case reason(overstay: String)
        case search
    }

    static let outcomes = [
        ("1", "warned"), ("2", "fined"), ("3", "let_go"), ("4", "not_found"), ("5", "other"),
    ]

    var place = Place.passages
    var chips: [String] = []
    var today: Today?
    var passages: [Passage] = []
    var found: [Passage] = []
    var reviews: [Review] = []
    var alerts: [Alert] = []
    var overstays: [Alert] = []

    /// Why there is nothing new; nil while the box answers.
    var lost: String?
    var message = ""
    private(set) var typed = ""
    private(set) var selected = 0

    /// The vehicle type that was chosen for a submission; nil leaves it to the plate.
    private(set) var chosenType: VehicleType?

    var isSounding: Bool { alerts.contains { !$0.isTouched } }

    mutating func handle(_ key: Key) -> [Request] {
        switch place {
        case .passages, .found: return handleList(key)
        case .passage(let passage): return handlePassage(key, passage)
        case .reviews, .alerts, .overstays: return handleChoice(key)
        case .plate(let id): return handlePlate(key, id)
        case .outcome(let alert): return handleOutcome(key, alert)
        case .fine(let violation):
            return handleTyping(key) { screen, fine in
                screen.go(.notes(violation: violation, kind: "fined", fine: fine))
                return []
            }
        case .notes(let violation, let kind, let fine):
            return handleTyping(key, mayBeEmpty: true) { screen, notes in
                screen.go(.passages)
                return [.outcome(violation: violation, kind: kind, fine: fine, notes: notes)]
            }
        case .reason(let overstay):
            return handleTyping(key) { screen, reason in
                screen.go(.overstays)
                return [.dismiss(overstay: overstay, reason: reason)]
            }
        case .correction(let passage):
            return handleTyping(key) { screen, plate in
                screen.go(.correctionReason(of: passage, plate: plate))
                return []
            }
        case .correctionReason(let passage, let plate):
            return handleTyping(key) { screen, reason in
                screen.go(.passages)
                return [.correct(passage: passage.id, plate: plate, reason: reason)]
            }
        case .withdrawal(let passage):
            return handleTyping(key) { screen, reason in
                screen.go(.passages)
                return [.withdraw(passage: passage.id, reason: reason)]
            }
        case .search:
            return handleTyping(key) { screen, part in
                screen.go(.found)
                return [.search(part)]
            }
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
        chosenType = nil
    }

    /// Moves the choice among `count` things, if the key does that.
    private mutating func moves(_ key: Key, among count: Int) -> Bool {
        switch key {
        case .up, .character("k"): selected = max(0, selected - 1)
        case .down, .character("j"): selected = min(max(0, count - 1), selected + 1)
        default: return false
        }
        return true
    }

    private mutating func handleList(_ key: Key) -> [Request] {
        message = ""
        let shown = place == .found ? found : passages
        selected = min(selected, max(0, shown.count - 1))
        if moves(key, among: shown.count) { return [] }
        switch key {
        case .character("q"): return [.quit]
        case .character("r"): return [.record]
        case .character("v"): go(.reviews)
        case .character("a"): go(.alerts)
        case .character("o"): go(.overstays)
        case .character("/"): go(.search)
        case .character("l"): return alerts.first { !$0.isTouched }.map { [.later(id: $0.id)] } ?? []
        case .enter where !shown.isEmpty: go(.passage(shown[selected]))
        default: go(.passages)
        }
        return []
    }

    private mutating func handlePassage(_ key: Key, _ passage: Passage) -> [Request] {
        switch key {
        case .character("c") where !passage.isWithdrawn: go(.correction(of: passage), typed: passage.plate)
        case .character("w") where !passage.isWithdrawn: go(.withdrawal(of: passage))
        case .escape, .enter, .character("q"): go(.passages)
        default: break
        }
        return []
    }

    private mutating func handleChoice(_ key: Key) -> [Request] {
        let listed = place == .overstays ? overstays : alerts
        let count = place == .reviews ? reviews.count : listed.count
        selected = min(selected, max(0, count - 1))
        if moves(key, among: count) { return [] }
        switch key {
        case .escape, .character("q"): go(.passages)
        case .enter where place == .reviews && count > 0: open(review: reviews[selected].id)
        case .character("d") where place == .reviews && count > 0: return [.discard(id: reviews[selected].id)]
        case .character("l") where place == .alerts && count > 0: return [.later(id: alerts[selected].id)]
        case .enter where place != .reviews && count > 0:
            let alert = listed[selected]
            go(alert.overstayID.map { .reason(overstay: "\($0)") } ?? .outcome(alert: alert))
            if !alert.isTouched { return [.later(id: alert.id)] }
        default: break
        }
        return []
    }

    /// Typing, with up and down through the other readings and the tabulator through the vehicle types.
    private mutating func handlePlate(_ key: Key, _ id: String) -> [Request] {
        let candidates = reviews.first { $0.id == id }.map { [$0.plate] + $0.candidates } ?? []
        switch key {
        case .up, .down:
            guard !candidates.isEmpty else { return [] }
            let place = candidates.firstIndex(of: typed) ?? 0
            typed = candidates[(place + (key == .down ? 1 : candidates.count - 1)) % candidates.count]
        case .tab:
            let all = VehicleType.allCases
            let next = chosenType.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            chosenType = next < all.count ? all[next] : nil
        default:
            return handleTyping(key) { screen, plate in
                let type = screen.chosenType?.rawValue
                screen.go(.passages)
                return [.submit(id: id, plate: plate, type: type)]
            }
        }
        return []
    }

    private mutating func handleTyping(
        _ key: Key, mayBeEmpty: Bool = false, done: (inout WatchScreen, String) -> [Request]
    ) -> [Request] {
        switch key {
        case .character(let character): if typed.count < 200 { typed.append(character) }
        case .backspace: _ = typed.popLast()
        case .escape: go(.passages)
        case .enter:
            let text = typed.trimmingCharacters(in: .whitespaces)
            if mayBeEmpty || !text.isEmpty { return done(&self, text) }
        case .up, .down, .tab: break
        }
        return []
    }

    private mutating func handleOutcome(_ key: Key, _ alert: Alert) -> [Request] {
        guard let violation = alert.violationID, key != .escape else {
            go(.alerts)
            return []
        }
        guard case .character(let character) = key,
            let kind = Self.outcomes.first(where: { $0.0 == String(character) })?.1
        else { return [] }
        go(kind == "fined" ? .fine(violation: violation) : .notes(violation: violation, kind: kind, fine: ""))
        return []
    }
}
