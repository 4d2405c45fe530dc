import Enforcement
import Foundation

/// Brings what the screen shows up to date. Each round asks one thing, how the box is; a list is asked for when the box says that it has
/// changed, when it is looked at, and now and then, since some of what it says is a matter of time.
struct WatchFeed {
    private let client: WatchClient

    /// The revision of each list as it was last asked for.
    private var known: [List: String] = [:]
    private var round = 0

    init(_ client: WatchClient) { self.client = client }

    /// In so many rounds everything that is shown is asked for once: what was put off sounds again, an hour becomes two.
    static let roundsOfAll = 20

    private enum List { case passages, reviews, alerts, overstays, matches, outcomes, queue }

    private struct Status: Decodable {
        struct Chip: Decodable { var text: String }
        struct Revisions: Decodable {
            var passages: String
            var reviews: String
            var alerts: String
            var matches: String
            var queue: String
        }
        var chips: [Chip]
        var today: WatchScreen.Today
        var revisions: Revisions
    }

    /// Everything is asked for anew in the next round.
    mutating func forget() { known = [:] }

    /// - Parameter reviews: whether what waits for review is wanted although it isn't shown.
    mutating func refresh(_ screen: inout WatchScreen, reviews: Bool = false) {
        let client = client
        do {
            let status = try client.get(Status.self, "status")
            screen.chips = status.chips.map(\.text)
            screen.today = status.today
            round += 1
            if round.isMultiple(of: Self.roundsOfAll) { forget() }
            let now = status.revisions
            // Of alerts and look-alikes it is told how many there are wherever one is; the others are asked for where they are shown.
            try ask(.passages, now.passages, screen.place.needs(.passages)) {
                screen.passages = try client.get([WatchScreen.Passage].self, "passages", query: [("limit", "100")])
            }
            try ask(.reviews, now.reviews, reviews || screen.place.needs(.reviews)) {
                screen.reviews = try client.get(
                    [WatchScreen.Review].self, "reviews",
                    query: [("limit", "\(WatchScreen.mostReviews)"), ("newest", "1")])
            }
            try ask(.alerts, now.alerts, true) {
                screen.alerts = try client.get([WatchScreen.Alert].self, "alerts", query: [("pictures", "0")])
            }
            try ask(.overstays, now.alerts, screen.place.needs(.overstays)) {
                screen.overstays = try client.get([WatchScreen.Alert].self, "overstays", query: [("pictures", "0")])
            }
            try ask(.matches, now.matches, true) {
                screen.matches = try client.get([WatchScreen.Match].self, "matches")
            }
            try ask(.outcomes, now.alerts, screen.place.needs(.outcomes)) {
                screen.outcomes = try client.get([WatchScreen.Done].self, "outcomes")
            }
            try ask(.queue, now.queue, screen.place.needs(.queue)) {
                screen.queue = try client.get(WatchScreen.Queue.self, "queue")
            }
            screen.lost = nil
            screen.settle()
        } catch {
            screen.lost = "\(error)"
        }
    }

    private mutating func ask(_ list: List, _ revision: String, _ isWanted: Bool, _ get: () throws -> Void) throws {
        guard isWanted, known[list] != revision else { return }
        try get()
        known[list] = revision
    }
}

extension WatchScreen {
    /// The lists that are asked for only where they are shown.
    enum Shown { case passages, reviews, overstays, outcomes, queue }
}

extension WatchScreen.Place {
    func needs(_ list: WatchScreen.Shown) -> Bool {
        switch (list, self) {
        case (.passages, .passages), (.reviews, .reviews), (.reviews, .plate), (.reviews, .recorded),
            (.reviews, .discarding), (.overstays, .overstays), (.overstays, .dismissing), (.overstays, .reason),
            (.outcomes, .outcomes), (.queue, .queue):
            true
        default: false
        }
    }
}
