import Enforcement
import Foundation
import Storage

@testable import Synchronizer

/// Both posts of a road over some hours, with vehicles, outages, power cuts and a troubled link; all of it follows from the seed.
///
/// Time is simulated, the databases are real, and the server is a model of the contract that matches as the real one does.
final class Simulation {
    private struct Trip {
        var plate: String
        var isFromA: Bool
        var start: TimeSpan
        var lasts: TimeSpan
        /// The vehicle turned round, or was read wrongly at the other end.
        var isHalf = false
    }

    let seed: UInt64
    private var chance: Chance
    private let time = SimulatedTime()
    let park: ParkServer
    private let folder: String
    private(set) var posts: [SimulatedPost] = []
    private var trips: [Trip] = []
    private let refusedPlate: String?
    private let length: TimeSpan
    /// Passages in the order in which the server took them.
    private var arrivals: [(post: String, clientID: String)] = []

    /// Short, so that a day's worth of passages fits into an hour: lawful is what takes 405 to 1620 s.
    private static let segment = Segment(name: "Banke", distanceKm: 4.5, maxSpeedKmh: 40, minSpeedKmh: 10)
    private static let scratch =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

    init(seed: UInt64) throws {
        self.seed = seed
        chance = Chance(seed: seed)
        park = try ParkServer(listens: false)
        folder = "\(Self.scratch)/checkpost-simulation-\(seed)-\(UUID().uuidString.prefix(8))"
        length = chance.span(600...3000)
        refusedPlate = chance.happens(0.3) ? "BA 9 PA 9999" : nil
        park.clock = SimulatedClock(time)
        park.change("highway_segments", id: ParkServer.segment, ["distance_km": Self.segment.distanceKm])
        park.isExtended = chance.happens(0.8)
        if let refusedPlate { park.refusals[Plate(canonical: refusedPlate).compact] = 400 }
        var ids = Chance(seed: seed &+ 1)
        park.makeID = { ids.id().uuidString.lowercased() }
        park.onPassage = { [unowned self] in arrived($0) }
        try addPosts()
        addTrips()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func addPosts() throws {
        for letter in ["a", "b"] {
            var settings = SyncSettings()
            settings.interval = chance.span(30...300)
            settings.queue.batchSize = [1, 1, 3, 8].randomElement(using: &chance) ?? 1
            settings.pageSize = [3, 500].randomElement(using: &chance) ?? 500
            settings.maximumSkew = .hours(2)
            let link = SimulatedLink(park, time, Chance(seed: chance.next()))
            link.trouble = chance.happens(0.2) ? 0 : chance.share() * 0.3
            var at = chance.span(0...900)
            while at < length {
                let end = at.adding(chance.span(10...1200))
                link.outages.append(at...end)
                at = end.adding(chance.span(100...1500))
            }
            // A server with the published columns alone can't be told that a clock was wrong.
            let error: TimeSpan =
                park.isExtended && chance.happens(0.15) ? .hours(chance.happens(0.5) ? 1 : -1) : .milliseconds(0)
            posts.append(
                try SimulatedPost(
                    letter, folder: "\(folder)/\(letter)", park: park, link: link,
                    clock: SimulatedClock(time, error: error), settings: settings, chance: Chance(seed: chance.next())))
        }
    }

    private func addTrips() {
        let count = Int.random(in: 5...20, using: &chance)
        for number in 0..<count {
            // Plates that look alike tempt the matcher.
            let digits = chance.happens(0.3) ? 1000 + number % 3 : 2000 + number
            let lasts: TimeSpan =
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: chance.span(60...400)
                case 1: .seconds(405)
                case 2: chance.span(406...1600)
                default: chance.span(1630...2000)
                }
            let lane = ["PA", "PHA", "BA"].randomElement(using: &chance) ?? "PA"
            let plate = "BA \(number) \(lane) \(digits)"
            trips.append(
                Trip(
                    plate: plate, isFromA: chance.happens(0.5), start: .seconds(chance.share() * length.seconds),
                    lasts: lasts, isHalf: chance.happens(0.15)))
        }
        if let refusedPlate {
            trips.append(
                Trip(plate: refusedPlate, isFromA: true, start: .minutes(5), lasts: .minutes(10), isHalf: true))
        }
    }

    private func post(_ isA: Bool) -> SimulatedPost { posts[isA ? 0 : 1] }

    /// Runs to the end of the day, then mends everything and waits until the queues are empty.
    ///
    /// - Returns: what is wrong then; nothing in a good world.
    func run() throws -> [String] {
        var events = trips.flatMap { trip -> [(at: TimeSpan, isAtA: Bool, plate: String)] in
            let start = (trip.start, trip.isFromA, trip.plate)
            return trip.isHalf ? [start] : [start, (trip.start.adding(trip.lasts), !trip.isFromA, trip.plate)]
        }.sorted { $0.at < $1.at }
        let end = max(length, events.last?.at ?? length)
        while let event = events.first {
            try pass(until: event.at)
            events.removeFirst()
            let post = post(event.isAtA)
            if chance.happens(0.05) { post.cutPower() }
            let isRight = post.clock.error.milliseconds == 0
            try post.record(
                event.plate, clockState: isRight ? .synchronised : .untrusted, hasPhoto: chance.happens(0.5))
            if chance.happens(0.4) { try posts[Int.random(in: 0..<2, using: &chance)].act(&chance) }
        }
        try pass(until: end)
        for post in posts {
            post.link.trouble = 0
            post.link.outages = []
        }
        for _ in 0..<600 {
            if try posts.allSatisfy({ try $0.isQuiet() }), settled() { break }
            try pass(until: time.passed.adding(.minutes(1)))
        }
        return try problems()
    }

    private var quietSince: TimeSpan?

    /// Both posts have had their turn since it became quiet: what the server judged last is there.
    private func settled() -> Bool {
        quietSince = quietSince ?? time.passed
        return time.passed.seconds - (quietSince?.seconds ?? 0) > 700
    }

    private func pass(until moment: TimeSpan) throws {
        while true {
            let next = posts.map { $0.nextTick - posts[0].clock.uptime }.map { max($0.milliseconds, 0) }
            let index = next[0] <= next[1] ? 0 : 1
            let due = TimeSpan.milliseconds(time.passed.milliseconds + next[index])
            guard due <= moment, time.passed <= moment else { break }
            time.advance(to: due)
            try posts[index].tick()
            // Even a tick that has nothing to do takes a moment.
            time.advance(.milliseconds(20))
        }
        time.advance(to: moment)
        for post in posts { post.link.deliverLate() }
    }

    /// The server's trigger: the same plate at the other post, unmatched, within the window, nearest in time.
    private func arrived(_ row: ParkServer.Row) {
        let posts = [ParkServer.postA: "BNP-A", ParkServer.postB: "BNP-B"]
        guard let id = row["id"] as? String, let passage = Self.passage(row, posts) else { return }
        arrivals.append((passage.checkpostCode, passage.clientID.uuidString.lowercased()))
        let open = park.rows("vehicle_passages").filter { $0["matched_passage_id"] is NSNull }
        let others = open.compactMap { Self.passage($0, posts) }
        guard case .matched(let match) = PassageMatcher().match(passage, among: others) else { return }
        let partner = match.entry.clientID == passage.clientID ? match.exit : match.entry
        let ids = Dictionary(uniqueKeysWithValues: open.map { ("\($0["client_id"] ?? "")", "\($0["id"] ?? "")") })
        guard let partnerID = ids[partner.clientID.uuidString.lowercased()] else { return }
        park.link(id, partnerID)
        guard let violation = Violation(match, on: Self.segment, id: passage.clientID) else { return }
        let isEntry = match.entry.clientID == passage.clientID
        park.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": isEntry ? id : partnerID,
                "exit_passage_id": isEntry ? partnerID : id, "violation_type": violation.kind.rawValue,
                "plate_number": violation.plate.compact, "vehicle_type": "car",
                "entry_time": violation.entryTime.iso8601, "exit_time": violation.exitTime.iso8601,
                "calculated_speed_kmh": violation.calculatedSpeedKmh ?? NSNull() as Any,
                "speed_limit_kmh": violation.speedLimitKmh, "distance_km": Self.segment.distanceKm,
                "created_at": (park.clock?.now ?? SimulatedClock.start).iso8601,
            ])
    }

    private static func passage(_ row: ParkServer.Row, _ posts: [String: String]) -> MatchablePassage? {
        guard let id = (row["client_id"] as? String).flatMap(UUID.init(uuidString:)),
            let time = (row["recorded_at"] as? String).flatMap(Instant.init(iso8601:)),
            let plate = row["plate_number"] as? String, let post = posts["\(row["checkpost_id"] ?? "")"]
        else { return nil }
        let state = (row["clock_state"] as? String).flatMap(ClockState.init(rawValue:)) ?? .synchronised
        return MatchablePassage(
            clientID: id, plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: post, recordedAt: time,
            clockState: state)
    }

    var trace: [String] { posts.flatMap(\.link.trace) }
}

/// What must hold in the end.
extension Simulation {
    private func problems() throws -> [String] {
        var problems: [String] = []
        let rows = park.rows("vehicle_passages")
        let all = posts.flatMap(\.recorded)
        let refused = Set(all.filter { $0.plate.canonical == refusedPlate }.map { $0.clientID.uuidString.lowercased() })
        let wanted = all.map { $0.clientID.uuidString.lowercased() }.filter { !refused.contains($0) }
        let there = rows.map { "\($0["client_id"] ?? "")" }
        if there.sorted() != wanted.sorted() { problems.append("\(wanted.count) passages, \(there.count) rows") }
        for post in posts {
            let aside = Set(post.steppedAside.map { $0.uuidString.lowercased() }).union(refused)
            let sent = post.recorded.map { $0.clientID.uuidString.lowercased() }.filter { !aside.contains($0) }
            let came = arrivals.filter { $0.post == post.code && !aside.contains($0.clientID) }.map(\.clientID)
            if sent != came { problems.append("\(post.code): another order at the server") }
            problems += try check(post, rows, refused)
        }
        problems += try outcomeProblems()
        let found = park.rows("violations").map { "\($0["plate_number"] ?? "") \($0["violation_type"] ?? "")" }
        if found.sorted() != truth { problems.append("violations \(found.sorted()) instead of \(truth)") }
        return problems
    }

    /// What a passage is at a post whose clock is right, at both.
    private var truth: [String] {
        guard posts.allSatisfy({ $0.clock.error.milliseconds == 0 }) else { return [] }
        return trips.filter { !$0.isHalf }.compactMap { trip in
            // As it was recorded: the simulation may have been busy when the vehicle came.
            let times = posts.compactMap { $0.recorded.first { $0.plate.canonical == trip.plate }?.recordedAt }
            guard times.count == 2 else { return nil }
            let took = (times[0] - times[1]).magnitude
            let plate = Plate(canonical: trip.plate).compact
            switch SpeedCalculator.check(travelTime: took, on: Self.segment) {
            case .lawful: return nil
            case .speeding: return "\(plate) speeding"
            case .overstay: return "\(plate) overstay"
            }
        }.sorted()
    }

    private func check(_ post: SimulatedPost, _ rows: [ParkServer.Row], _ refused: Set<String>) throws -> [String] {
        var problems: [String] = []
        let store = post.store
        let entries = try store.queue(limit: 1000)
        for entry in entries {
            // An outcome of what turned out to be no violation has nowhere to go.
            if entry.entity == .outcome, entry.isRefused { continue }
            let isRefused = refused.contains(entry.passageClientID.uuidString.lowercased())
            let isRight = isRefused ? entry.status == .failed && entry.isRefused : entry.status == .synced
            if !isRight {
                problems.append("\(post.code): entry \(entry.id) is \(entry.status), \(entry.lastError ?? "")")
            }
        }
        for stored in try store.passages(limit: 1000) {
            let id = stored.passage.clientID.uuidString.lowercased()
            guard !refused.contains(id), let row = rows.first(where: { $0["client_id"] as? String == id }) else {
                continue
            }
            if row["id"] as? String != stored.serverID?.uuidString.lowercased() {
                problems.append("\(post.code): \(stored.passage.plate) has another id at the server")
            }
            if (row["matched_passage_id"] is NSNull) == stored.isMatched {
                problems.append("\(post.code): \(stored.passage.plate) is matched at one side only")
            }
            let path = "passage-photos/\(row["id"] ?? "").jpg"
            if stored.passage.photoSHA256 != nil,
                stored.photoPath != path || row["photo_path"] as? String != path || park.photos[path] == nil
            {
                problems.append("\(post.code): \(stored.passage.plate) lacks its photo")
            }
        }
        let violations = try store.violations(limit: 1000).map(\.violation)
        let found = violations.map { "\($0.plate.compact) \($0.kind.rawValue) \($0.state.rawValue)" }.sorted()
        let told = truth.map { $0 + " confirmed" }
        if found != told { problems.append("\(post.code): violations \(found) instead of \(told)") }
        if post.link.trace.count > 30_000 { problems.append("\(post.code): \(post.link.trace.count) requests") }
        return problems
    }
}
