import Enforcement
import Foundation
import ParkAPI
import Storage

@testable import Synchronizer

/// A third post, on another road of the same park: the same vehicles pass it, and nothing of it is the others' business.
extension Simulation {
    /// Drawn apart, on a third of the busy roads.
    func makeOutsider() throws -> SimulatedPost? {
        var own = Chance(seed: seed &* 307 &+ 3)
        guard own.happens(0.33) else { return nil }
        park.addFurtherRoad()
        let link = SimulatedLink(park, time, Chance(seed: own.next()))
        link.trouble = own.share() * 0.2
        let start = own.span(0...900)
        link.outages = [start...start.adding(own.span(60...1500))]
        var settings = SyncSettings()
        settings.interval = own.span(60...300)
        settings.maximumSkew = .hours(2)
        settings.comparisonInterval = comparisonInterval
        let post = try SimulatedPost(
            "c", folder: "\(folder)/c", park: park, link: link, clock: SimulatedClock(time), settings: settings,
            disk: SimulatedDisk(time, Chance(seed: own.next()), until: length), chance: Chance(seed: own.next()),
            hasModem: false)
        // Of another road: the hub is all that it may go through.
        if hub.isThere { post.way = SimulatedWay(link, hub: hub) { true } }
        return post
    }

    /// Vehicles of the others' road pass it, too, while they are on the way there.
    func passagesOfOutsider() -> [Happening] {
        guard let outsider else { return [] }
        return trips.prefix(6).filter { $0.plate != refusedPlate }.map { trip in
            Happening(at: trip.start.adding(.seconds(trip.lasts.seconds / 2))) {
                try outsider.record(trip.plate, clockState: .synchronised, hasPhoto: false)
            }
        }
    }

    func outsiderProblems() throws -> [String] {
        guard let outsider else { return [] }
        var problems: [String] = []
        let ids = outsider.recorded.map { $0.clientID.uuidString.lowercased() }
        let rows = park.rows(.passages).filter(ParkServer.isOfFurtherRoad)
        let there = rows.compactMap { $0.text(PassageColumn.clientID) }
        if there.sorted() != ids.sorted() { problems.append("BNP-C: \(ids.count) passages, \(there.count) rows") }
        if rows.contains(where: { !($0[PassageColumn.match] is NSNull) }) { problems.append("BNP-C: a row is matched") }
        let stored = try outsider.store.passages.list(limit: 1000)
        if stored.contains(where: \.isMatched) || stored.count != ids.count {
            problems.append("BNP-C: \(stored.count) passages on record, \(stored.count(where: \.isMatched)) matched")
        }
        if try outsider.store.figures.now().remotePassages > 0 {
            problems.append("BNP-C knows another road's passages")
        }
        for post in posts {
            for id in outsider.recorded.map(\.clientID)
            where try post.store.otherPost.passage(clientID: id) != nil
                || post.store.passages.passage(clientID: id) != nil
            { problems.append("\(post.code) knows a passage of BNP-C") }
        }
        return problems
    }
}
