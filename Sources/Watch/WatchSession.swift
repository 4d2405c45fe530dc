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
        screen.texts = .speaking(client.language)
        screen.isTechnician = client.isTechnician
        var feed = WatchFeed(client)
        var round = 0
        var told: String?
        var size = terminal.size
        feed.refresh(&screen)
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
                perform(request, &screen, &feed)
            }
            if keys.isEmpty {
                round += 1
                if screen.isSounding, round.isMultiple(of: Self.bellEvery) { terminal.bell() }
            }
            let sounded = screen.isSounding
            feed.refresh(&screen)
            if screen.isSounding, !sounded { terminal.bell() }
        }
    }

    private func perform(_ request: WatchScreen.Request, _ screen: inout WatchScreen, _ feed: inout WatchFeed) {
        do {
            if case .speak(let language) = request {
                client.language = language
                screen.texts = .speaking(language)
                terminal.forget()
                feed.forget()
            } else if case .record = request {
                let id = try client.post("record", [:])["id"] ?? ""
                feed.forget()
                feed.refresh(&screen, reviews: true)
                screen.open(review: id)
            } else if case .search(let part) = request {
                screen.found = try client.get(
                    [WatchScreen.Passage].self, "passages", query: [("plate", part), ("alike", "1"), ("limit", "100")])
            } else {
                screen.message = try post(request, &screen) ?? screen.message
            }
        } catch let error as WatchClient.Refused where error.status == 409 && request.isOutcome {
            screen.askAgain(request, because: error.description)
        } catch {
            screen.message = screen.say("failed", ["reason": "\(error)"])
        }
    }

    /// - Returns: what to say of it; nil for nothing.
    private func post(_ request: WatchScreen.Request, _ screen: inout WatchScreen) throws -> String? {
        let texts = screen.texts
        switch request {
        case .quit, .record, .search, .speak: return nil
        case .submit(let id, let plate, let type):
            let answer = try client.post(
                "reviews/submit",
                ["id": id, "plate": plate].merging(type.map { ["vehicle_type": $0] } ?? [:]) { $1 })
            return texts(
                answer["already"] == "1" ? "already" : "recorded",
                ["plate": answer["plate"] ?? plate, "type": texts["type_" + (answer["vehicle_type"] ?? "other")]])
        case .confirm(let id, let passage):
            let answer = try client.post("reviews/confirm", ["id": id, "passage": passage])
            return texts("already", ["plate": answer["plate"] ?? ""])
        case .discard(let id):
            try client.post("reviews/discard", ["id": id])
            screen.lastDiscarded = id
            return texts["discarded"]
        case .restore(let id):
            try client.post("reviews/restore", ["id": id])
            return texts["restored"]
        case .later(let id):
            try client.post("alerts/later", ["id": id])
            return nil
        case .outcome(let violation, let kind, let fine, let notes, let seen):
            var fields = ["violation_id": violation, "kind": kind, "fine_amount": fine, "notes": notes]
            fields["seen"] = seen
            try client.post("outcomes", fields)
            return texts("outcome_recorded", ["kind": texts["outcome_" + kind]])
        case .correct(let passage, let plate, let reason):
            let answer = try client.post("passages/correct", ["id": passage, "plate": plate, "reason": reason])
            return texts("told_corrected", ["plate": answer["plate"] ?? plate])
        case .withdraw(let passage, let reason):
            try client.post("passages/withdraw", ["id": passage, "reason": reason])
            return texts["told_withdrawn"]
        case .dismiss(let overstay, let reason):
            try client.post("overstays/dismiss", ["id": overstay, "reason": reason])
            return texts["dismissed"]
        case .reject(let match):
            try client.post("matches/reject", ["id": match])
            screen.lastRejected = match
            return texts["judged"]
        case .accept(let match):
            let answer = try client.post("matches/accept", ["id": match])
            return texts("told_corrected", ["plate": answer["plate"] ?? ""])
        case .restoreMatch(let match):
            try client.post("matches/restore", ["id": match])
            return texts["match_restored"]
        case .synchronise:
            let answer = try client.post("sync", [:])
            return texts[answer["started"] == "true" ? "sync_began" : "sync_none"]
        case .retry(let entry):
            let answer = try client.post("queue/retry", entry.map { ["id": $0] } ?? [:])
            return texts("retried", ["count": answer["retried"] ?? "0"])
        }
    }
}
