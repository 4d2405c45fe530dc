import Enforcement
import Foundation
import Pages

/// What the text console shows and what its keys do. It knows neither terminal nor network: keys go in, requests come out, and
/// lines of a given width are drawn of it.
struct WatchScreen {
    enum Key: Equatable {
        case character(Character)
        case enter, escape, backspace, up, down, tab
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
    var matches: [Match] = []
    var outcomes: [Done] = []
    var queue: Queue?

    var texts = WatchTexts.english

    /// Whether who is signed in may send the queue on.
    var isTechnician = false

    /// Why there is nothing new; nil while the box answers.
    var lost: String?
    var message = ""
    private(set) var typed = ""

    /// How long a text is typed at most.
    private static let longestText = 1000

    /// The id of the chosen row, and where it was when it was last seen. `settle` keeps them right.
    var chosen: String?
    var row = 0
    var shownAlertID: String?

    /// What was discarded last, and which plates were said to be two vehicles: it can be taken back.
    var lastDiscarded: String?
    var lastRejected: String?

    /// The vehicle type that was chosen for a submission; nil leaves it to the plate.
    private(set) var chosenType: VehicleType?

    var isSounding: Bool { alerts.contains { !$0.isTouched } }

    /// So many of those that wait are listed, as the console's API gives at most.
    static let mostReviews = 500

    mutating func handle(_ key: Key) -> [Request] {
        // What was drawn is what a key means: when it is gone, the key does nothing but say so.
        let before = chosen
        settle()
        if let before, before != chosen, chosen != nil { return [] }
        let requests = act(on: key)
        settle()
        return requests
    }

    private mutating func act(on key: Key) -> [Request] {
        switch place {
        case .passages, .found: return handleList(key)
        case .passage(let passage): return handlePassage(key, passage)
        case .reviews, .alerts, .overstays: return handleChoice(key)
        case .matches: return handleMatches(key)
        case .rejecting(let match):
            return handleQuestion(key, backTo: .matches, row: match.id, [.reject(match: match.id)])
        case .accepting(let match):
            return handleQuestion(key, backTo: .matches, row: match.id, [.accept(match: match.id)])
        case .outcomes: return handleOutcomes(key)
        case .queue: return handleQueue(key)
        case .recorded(let review, let passage): return handleRecorded(key, review, passage)
        case .plate(let id): return handlePlate(key, id)
        case .outcome(let judged): return handleOutcome(key, judged)
        case .discarding(let review):
            return handleQuestion(key, backTo: .reviews, row: review.id, [.discard(id: review.id)])
        case .dismissing(let overstay, let reason):
            return handleQuestion(
                key, backTo: .overstays, row: overstay.id,
                [.dismiss(overstay: "\(overstay.overstayID ?? 0)", reason: reason)])
        case .sureOutcome(let violation, let kind, let fine, let notes):
            return handleQuestion(
                key, backTo: .passages, row: nil,
                [.outcome(violation: violation, kind: kind, fine: fine, notes: notes, seen: nil)])
        case .help:
            go(.passages)
            return []
        case .fine(let judged):
            return handleTyping(key) { screen, fine in
                guard let amount = RupeeAmount.parse(fine), amount > 0 else {
                    screen.message = screen.texts["bad_fine"]
                    return []
                }
                screen.message = ""
                screen.go(.notes(judged, kind: "fined", fine: fine), typed: judged.notes)
                return []
            }
        case .notes(let judged, let kind, let fine):
            return handleTyping(key, mayBeEmpty: true) { screen, notes in
                screen.go(.passages)
                return [
                    .outcome(violation: judged.violation, kind: kind, fine: fine, notes: notes, seen: judged.seen)
                ]
            }
        case .reason(let overstay):
            return handleTyping(key) { screen, reason in
                screen.go(.dismissing(overstay: overstay, reason: reason))
                return []
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

    /// Begins to type the plate of a vehicle, or asks first whether it is the one that the camera has recorded.
    mutating func open(review id: String) {
        if let review = reviews.first(where: { $0.id == id }), let passage = review.recorded {
            return go(.recorded(review, passage))
        }
        go(.plate(id: id), typed: reviews.first { $0.id == id }?.plate ?? "")
    }

    /// Somebody else recorded an outcome of that violation meanwhile: what was typed is asked about once more.
    mutating func askAgain(_ request: Request, because reason: String) {
        guard case .outcome(let violation, let kind, let fine, let notes, _) = request else { return }
        message = reason
        go(.sureOutcome(violation: violation, kind: kind, fine: fine, notes: notes))
    }

    mutating func go(_ place: Place, typed: String = "", row id: String? = nil) {
        self.place = place
        self.typed = typed
        chosen = id
        row = id.flatMap { ids.firstIndex(of: $0) } ?? 0
        chosenType = nil
        // Where the row is gone its neighbour is chosen, without a word: that is what was asked for.
        if let id, !ids.contains(id) { chosen = nil }
    }

    /// Does it when the answer is y; everything else leaves it.
    mutating func handleQuestion(
        _ key: Key, backTo place: Place, row id: String?, _ requests: [Request]
    ) -> [Request] {
        go(place, row: id)
        if key == .character("y") { return requests }
        message = texts["nothing_done"]
        return []
    }

    private mutating func handleList(_ key: Key) -> [Request] {
        message = ""
        let shown = place == .found ? found : passages
        if moves(key) { return [] }
        switch key {
        case .character("q"): return [.quit]
        case .character("r"): return [.record]
        case .character("v"): go(.reviews)
        case .character("u"): return takeBack()
        case .character("a"): go(.alerts)
        case .character("o"): go(.overstays)
        case .character("m"): go(.matches)
        case .character("e"): go(.outcomes)
        case .character("s"): go(.queue)
        case .character("n"): return [.speak(texts.otherLanguage)]
        case .character("/"): go(.search)
        case .character("?"): go(.help)
        case .character("l"): return shownAlert.map { [.later(id: $0.id)] } ?? []
        case .enter: if let selected { go(.passage(shown[selected])) }
        case .escape: go(.passages)
        default: break
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
        message = ""
        if moves(key) { return [] }
        if key == .escape || key == .character("q") { go(.passages) }
        if key == .character("u"), place == .reviews { return takeBack() }
        if key == .character("e"), place == .alerts { go(.outcomes) }
        if key == .character("m"), place == .overstays { go(.matches) }
        guard let selected else { return [] }
        switch (key, place) {
        case (.enter, .reviews): open(review: reviews[selected].id)
        case (.character("d"), .reviews): go(.discarding(reviews[selected]))
        case (.character("l"), .alerts): return [.later(id: alerts[selected].id)]
        case (.character("d"), .overstays): go(.reason(overstay: overstays[selected]))
        case (.enter, .alerts), (.enter, .overstays):
            let alert = place == .overstays ? overstays[selected] : alerts[selected]
            go(alert.overstayID == nil ? .outcome(Judged(alert)) : .reason(overstay: alert))
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
        case .character(let character): if typed.count < Self.longestText { typed.append(character) }
        // A sign at a time: a vowel sign that was mistyped does not take its letter with it.
        case .backspace: if !typed.isEmpty { typed.unicodeScalars.removeLast() }
        case .escape: go(.passages)
        case .enter:
            let text = typed.trimmingCharacters(in: .whitespaces)
            if mayBeEmpty || !text.isEmpty { return done(&self, text) }
        case .up, .down, .tab: break
        }
        return []
    }
}
