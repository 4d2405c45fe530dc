import Enforcement
import Foundation
import Storage

@testable import Synchronizer

/// What people and the server do to the record.
extension Simulation {
    /// Drawn before anything runs, so that a seed always means the same.
    func troubles() -> [Happening] {
        var happenings: [Happening] = []
        func sometime() -> TimeSpan { .seconds(chance.share() * length.seconds) }
        if chance.happens(0.3) {
            let (start, user) = (sometime(), chance.happens(0.5) ? ParkServer.ranger : ParkServer.rangerB)
            happenings.append(Happening(at: start) { [unowned self] in park.setActive(false, user) })
            happenings.append(
                Happening(at: start.adding(chance.span(30...900))) { [unowned self] in park.setActive(true, user) })
        }
        if chance.happens(0.3) {
            let isA = chance.happens(0.5)
            happenings.append(
                Happening(at: sometime()) { [unowned self] in try post(isA).importAll(of: post(!isA)) })
        }
        happenings += fetchedAnew()
        guard park.isExtended else { return happenings }
        for number in 0..<Int.random(in: 0...2, using: &chance) {
            let (at, isA, plate) = (sometime(), chance.happens(0.5), "\(SimulatedPost.phantom) \(number + 1)")
            phantoms.append(plate)
            happenings.append(Happening(at: at) { [unowned self] in try record(plate, isAtA: isA) })
            happenings.append(
                Happening(at: at.adding(chance.span(5...1500))) { [unowned self] in try post(isA).withdraw(plate) })
        }
        if chance.happens(0.3) {
            happenings.append(Happening(at: sometime()) { [unowned self] in deleteOne() })
        }
        if chance.happens(0.3) {
            goesServerBack = true
            let from = sometime()
            var kept: ParkServer.Backup?
            happenings.append(Happening(at: from) { [unowned self] in kept = park.backup })
            let at = from.adding(chance.span(60...1500))
            happenings.append(
                Happening(at: at) { [unowned self] in
                    guard let kept else { return }
                    // A server is stopped to be put back: what was under way to it ends with its connections.
                    for post in everyone { post.link.dropWhatIsHeldUp() }
                    park.restore(kept)
                    restored.append((at, from))
                })
        }
        return happenings
    }

    /// A person has what was fetched forgotten, or some hours fetched or sent once more. It is drawn apart: nothing else of a day changes
    /// with it.
    private func fetchedAnew() -> [Happening] {
        var own = Chance(seed: seed &* 131 &+ 7)
        return (0..<(own.happens(0.5) ? 2 : 0)).map { _ in
            let (at, isA) = (TimeSpan.seconds(own.share() * length.seconds), own.happens(0.5))
            let kinds: Set<FetchedKind> = own.happens(0.7) ? [.passages] : [.findings]
            let direction: DaysDirection? = own.happens(0.5) ? nil : own.happens(0.5) ? .fetch : .send
            return Happening(at: at) { [unowned self] in
                let post = post(isA)
                guard !post.isPowerless else { return }
                let now = post.clock.now
                if let direction {
                    try post.store.days.want(WantedDays(direction, from: now - .hours(1), until: now), at: now)
                } else {
                    try post.store.fetched.wish(kinds, at: now)
                }
                refreshes += 1
            }
        }
    }

    /// The warden deletes a passage of a vehicle that turned round.
    private func deleteOne() {
        let halves = Set(trips.filter(\.isHalf).map { $0.plate.filter { $0 != " " } })
        let rows = park.rows("vehicle_passages").filter {
            halves.contains("\($0["plate_number"] ?? "")") && $0["matched_passage_id"] is NSNull
                && !ParkServer.isOfFurtherRoad($0)
        }
        guard let row = rows.first, let id = row["id"] as? String, let plate = row["plate_number"] as? String,
            let passage = posts.flatMap(\.recorded).first(where: { $0.plate.compact == plate })
        else { return }
        park.delete(passage: id)
        deleted.append((passage.clientID.uuidString.lowercased(), time.passed))
    }

    /// Deleted, and then the server was brought back to before: whether it is there depends on what the post had heard.
    var unclear: Set<String> {
        Set(deleted.filter { gone in restored.contains { $0.at >= gone.at && $0.from <= gone.at } }.map(\.clientID))
    }

    /// Passages that are to be at the server no longer: withdrawn ones and deleted ones.
    var gone: Set<String> {
        let withdrawn = posts.flatMap { $0.withdrawn.map { $0.uuidString.lowercased() } }
        return Set(withdrawn + deleted.map(\.clientID))
    }
}
