import Foundation

/// The text console from its first picture to its last: asks the box, draws, and does what the keys say.
package struct WatchSession {
    private let client: WatchClient
    private let terminal: WatchTerminal

    package init(_ client: WatchClient, _ terminal: WatchTerminal) {
        self.client = client
        self.terminal = terminal
    }

    /// How often the box is asked, in milliseconds.
    private static let interval: Int32 = 1000
    private static let bellEvery = 4

    /// Returns when the ranger has left, or the terminal is gone.
    package func run() {
        signal(SIGPIPE, SIG_IGN)
        var screen = WatchScreen()
        var round = 0
        var told: String?
        var size = terminal.size
        refresh(&screen, client)
        while true {
            if terminal.size != size {
                size = terminal.size
                terminal.forget()
            }
            terminal.draw(screen.lines(width: size.width, height: size.height))
            if let alert = screen.shownAlert, alert.id != told {
                told = alert.id
                // What the server learns of it must not be in the way of the alert.
                _ = try? client.post("alerts/shown", ["id": alert.id])
            }
            guard let keys = terminal.keys(within: Self.interval) else { break }
            for request in keys.flatMap({ screen.handle($0) }) {
                if request == .quit {
                    client.signOut()
                    return
                }
                perform(request, &screen, client)
            }
            if keys.isEmpty {
                round += 1
                if screen.isSounding, round.isMultiple(of: Self.bellEvery) { terminal.bell() }
            }
            let sounded = screen.isSounding
            refresh(&screen, client)
            if screen.isSounding, !sounded { terminal.bell() }
        }
    }

    private struct Status: Decodable {
        struct Chip: Decodable { var text: String }
        var chips: [Chip]
        var today: WatchScreen.Today
    }

    private func refresh(_ screen: inout WatchScreen, _ client: WatchClient) {
        do {
            let status = try client.get(Status.self, "status")
            screen.chips = status.chips.map(\.text)
            screen.today = status.today
            screen.passages = try client.get([WatchScreen.Passage].self, "passages", query: [("limit", "100")])
            if screen.wantsReviews {
                screen.reviews = try client.get(
                    [WatchScreen.Review].self, "reviews", query: [("limit", "\(WatchScreen.mostReviews)")])
            }
            screen.alerts = try client.get([WatchScreen.Alert].self, "alerts")
            screen.overstays = try client.get([WatchScreen.Alert].self, "overstays")
            screen.lost = nil
            screen.settle()
        } catch {
            screen.lost = "\(error)"
        }
    }

    private func perform(_ request: WatchScreen.Request, _ screen: inout WatchScreen, _ client: WatchClient) {
        do {
            switch request {
            case .quit: break
            case .record:
                let id = try client.post("record", [:])["id"] ?? ""
                // As many may wait as before, when somebody else has decided one meanwhile.
                screen.reviews = []
                refresh(&screen, client)
                screen.open(review: id)
            case .submit(let id, let plate, let type):
                let answer = try client.post(
                    "reviews/submit",
                    ["id": id, "plate": plate].merging(type.map { ["vehicle_type": $0] } ?? [:]) { $1 })
                let word = answer["already"] == "1" ? "On record already" : "Recorded"
                screen.message = "\(word): \(answer["plate"] ?? plate), \(answer["vehicle_type"] ?? "")"
            case .confirm(let id, let passage):
                let answer = try client.post("reviews/confirm", ["id": id, "passage": passage])
                screen.message = "On record already: \(answer["plate"] ?? "")"
            case .discard(let id):
                try client.post("reviews/discard", ["id": id])
                screen.lastDiscarded = id
                screen.message = "Discarded. u takes it back."
            case .restore(let id):
                try client.post("reviews/restore", ["id": id])
                screen.message = "It waits for review again."
            case .later(let id): try client.post("alerts/later", ["id": id])
            case .outcome(let violation, let kind, let fine, let notes, let isSure):
                var fields = ["violation_id": violation, "kind": kind, "fine_amount": fine, "notes": notes]
                // The list has violations without an outcome only.
                if !isSure { fields["seen"] = "0" }
                try client.post("outcomes", fields)
                screen.message = "The outcome is recorded: \(kind)."
            case .correct(let passage, let plate, let reason):
                let answer = try client.post("passages/correct", ["id": passage, "plate": plate, "reason": reason])
                screen.message = "Corrected: \(answer["plate"] ?? plate). Both versions are kept."
            case .withdraw(let passage, let reason):
                try client.post("passages/withdraw", ["id": passage, "reason": reason])
                screen.message = "Withdrawn. It stays on record."
            case .dismiss(let overstay, let reason):
                try client.post("overstays/dismiss", ["id": overstay, "reason": reason])
                screen.message = "Dismissed."
            case .search(let part):
                screen.found = try client.get(
                    [WatchScreen.Passage].self, "passages", query: [("plate", part), ("alike", "1"), ("limit", "100")])
            }
        } catch let error as WatchClient.Refused where error.status == 409 && request.isOutcome {
            screen.askAgain(request, because: error.description)
        } catch {
            screen.message = "That did not work: \(error)"
        }
    }
}
