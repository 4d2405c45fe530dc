import Enforcement
import Foundation
import Storage

@testable import Synchronizer

/// Both posts of a road over some hours, with vehicles, outages, power cuts and a troubled link; all of it follows from the seed.
///
/// Time is simulated, the databases are real, and the server is a model of the contract that matches as the real one does.
final class Simulation {
    struct Trip {
        var plate: String
        var isFromA: Bool
        var start: TimeSpan
        var lasts: TimeSpan
        /// The vehicle turned round, or was read wrongly at the other end.
        var isHalf = false
        /// It comes back the other way: so long after it came out, and in so long.
        var back: (after: TimeSpan, lasts: TimeSpan)?
        /// Read wrongly at the first post, until a ranger corrects it so much later.
        var correctedAfter: TimeSpan?

        /// What was read then.
        var misread: String { "BA 77 PA \(start.milliseconds)" }
    }

    /// Something that happens at a moment.
    struct Happening {
        var at: TimeSpan
        var act: () throws -> Void
    }

    let seed: UInt64
    var chance: Chance
    let time = SimulatedTime()
    let park: ParkServer
    let peer: SimulatedPeer
    let hub: SimulatedHub
    private(set) var people: SimulatedPeople?
    private(set) var outsider: SimulatedPost?
    let folder: String
    private(set) var posts: [SimulatedPost] = []
    var trips: [Trip] = []
    let refusedPlate: String?
    let length: TimeSpan
    /// Passages in the order in which the server took them.
    var arrivals: [(post: String, clientID: String)] = []
    /// What was deleted at the server, with when.
    var deleted: [(clientID: String, at: TimeSpan)] = []
    /// When the server was brought back to an older state, and how old that was.
    var restored: [(at: TimeSpan, from: TimeSpan)] = []
    var phantoms: [String] = []
    /// Whether it goes back in this run.
    var goesServerBack = false
    /// What happened that explains what is wrong in the end.
    var events: [String] = []
    /// How often somebody had something fetched or sent once more.
    var refreshes = 0
    /// Alerts of vehicles that were out in time, said to be sure.
    private(set) var falseAlerts: [OverstayAlert] = []
    var alertCount = 0

    /// Short, so that a day's worth of passages fits into an hour: lawful is what takes 405 to 1620 s.
    static let segment = Segment(name: "Banke", distanceKm: 4.5, maxSpeedKmh: 40, minSpeedKmh: 10)
    private static let scratch =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

    /// On a busy road everything happens at once. On a quiet one few vehicles pass, all of them in time, and the posts are out of reach for
    /// long, without a modem: who is not known to be out may be.
    /// A brief day is a busy one of some minutes with a few vehicles, of which many more can be played.
    enum Road { case busy, brief, quiet }
    let road: Road
    var isBusy: Bool { road != .quiet }

    init(seed: UInt64, road: Road = .busy) throws {
        self.seed = seed
        self.road = road
        chance = Chance(seed: seed)
        park = try ParkServer(listens: false)
        folder = "\(Self.scratch)/checkpost-simulation-\(seed)-\(UUID().uuidString.prefix(8))"
        length = road == .brief ? chance.span(200...700) : chance.span(600...3000)
        peer = SimulatedPeer(seed: seed, time, until: length)
        hub = SimulatedHub(seed: seed, time, until: length)
        let isOneRefused = road != .quiet ? chance.happens(0.3) : false
        refusedPlate = isOneRefused ? "BA 9 PA 9999" : nil
        park.clock = SimulatedClock(time)
        park.change("highway_segments", id: ParkServer.segment, ["distance_km": Self.segment.distanceKm])
        park.isExtended = road != .quiet ? chance.happens(0.8) : true
        park.keepsChanges = park.isExtended
        // Half of the servers mark what seldom changes, and take what waits at a post with its question.
        park.referenceMark = seed.isMultiple(of: 2) ? "one" : nil
        if let refusedPlate { park.refusals[Plate(canonical: refusedPlate).compact] = 400 }
        var ids = Chance(seed: seed &+ 1)
        park.makeID = { ids.id().uuidString.lowercased() }
        park.onPassage = { [unowned self] in arrived($0) }
        park.onWrite = { [unowned self] in for post in everyone { post.changes.written() } }
        park.onGone = { [unowned self] in pair(around: $0) }
        park.onCompletion = { [unowned self] row in
            let isOfA = row["checkpost_id"] as? String == ParkServer.postA
            uploaded(isOfA ? "BNP-A" : "BNP-B", "\(row["client_id"] ?? "")")
        }
        try addPosts()
        addTrips()
        try addPeople()
        if isBusy { outsider = try makeOutsider() }
    }

    /// `CHECKPOST_SIMULATION_KEEP=1` leaves both databases for a look.
    deinit {
        for post in everyone { post.end() }
        guard ProcessInfo.processInfo.environment["CHECKPOST_SIMULATION_KEEP"] != "1" else {
            return print("The databases are in \(folder).")
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func addPosts() throws {
        for letter in ["a", "b"] {
            var settings = SyncSettings()
            settings.interval = road == .brief ? chance.span(100...300) : chance.span(30...300)
            settings.queue.batchSize = [1, 1, 3, 8].randomElement(using: &chance) ?? 1
            settings.pageSize = [3, 500].randomElement(using: &chance) ?? 500
            settings.maximumSkew = .hours(2)
            settings.comparisonInterval = comparisonInterval
            let link = SimulatedLink(park, time, Chance(seed: chance.next()))
            link.trouble = chance.happens(0.2) ? 0 : chance.share() * 0.3
            var at = chance.span(0...900)
            while at < length {
                let end = at.adding(isBusy ? chance.span(10...1200) : chance.span(300...2400))
                link.outages.append(at...end)
                at = end.adding(isBusy ? chance.span(100...1500) : chance.span(60...300))
            }
            // A server with the published columns alone can't be told that a clock was wrong.
            let error: TimeSpan =
                isBusy && park.isExtended && chance.happens(0.15)
                ? .hours(chance.happens(0.5) ? 1 : -1) : .milliseconds(0)
            posts.append(
                try SimulatedPost(
                    letter, folder: "\(folder)/\(letter)", park: park, link: link,
                    clock: SimulatedClock(time, error: error), settings: settings,
                    disk: SimulatedDisk(time, Chance(seed: chance.next()), until: length),
                    chance: Chance(seed: chance.next()), hasModem: isBusy))
            // Half of the posts listen to the server. It changes nothing of what else happens to them.
            posts.last?.changes.draw(Chance(seed: seed &+ UInt64(posts.count) &* 77))
        }
        if peer.isThere || hub.isThere {
            for (post, other) in zip(posts, posts.reversed()) {
                post.way = SimulatedWay(post.link, hub: hub) { [unowned self, unowned other] in
                    !peer.isThere || peer.isOut || other.isPowerless
                        || other.link.outages.contains { $0.contains(time.passed) }
                }
            }
        }
        addMailbox()
        for post in posts {
            post.onAlert = { [unowned self] in if isFalse($0, at: post.code) { falseAlerts.append($0) } }
        }
    }

    /// On half of the roads with a radio the post that signs its texts has no modem.
    private func addMailbox() {
        var own = Chance(seed: seed &* 271 &+ 41)
        guard peer.isThere, own.happens(0.5) else { return }
        posts[0].texts.mailbox = SimulatedMailbox(at: posts[1], own) { [unowned self] in peer.isOut }
    }

    /// Drawn apart, on half of the roads whose server knows who may use a console.
    private func addPeople() throws {
        var own = Chance(seed: seed &* 211 &+ 5)
        guard isBusy, park.isExtended, own.happens(0.5) else { return }
        let people = SimulatedPeople(&own, until: length)
        park.openAccounts = people.names
        park.isOfPost = { [unowned self] in people.isAt($0, isA: $1 == ParkServer.ranger, at: time.passed) }
        for post in posts { try people.signIn(post) }
        self.people = people
    }

    var everyone: [SimulatedPost] { posts + (outsider.map { [$0] } ?? []) }

    func post(_ isA: Bool) -> SimulatedPost { posts[isA ? 0 : 1] }

    /// Runs to the end of the day, then mends everything and waits until the queues are empty.
    ///
    /// - Returns: what is wrong then; nothing in a good world.
    func run() throws -> [String] {
        let happenings =
            (passages() + (isBusy ? troubles() + lossesOfRecords() + deadCameras() + passagesOfOutsider() : []))
            .enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        let end = max(length, happenings.last?.at ?? length)
        for happening in happenings {
            try pass(until: happening.at)
            try happening.act()
        }
        try pass(until: end)
        peer.mend()
        for post in everyone {
            post.link.trouble = 0
            post.link.outages = []
            post.disk.heal()
        }
        let missing = Set(posts.flatMap(\.missing).flatMap(\.plates))
        for _ in 0..<600 {
            if try everyone.allSatisfy({ try $0.isQuiet(besides: missing) }), settled() { break }
            try pass(until: time.passed.adding(.minutes(1)))
        }
        return try problems()
    }

    var comparisonInterval: TimeSpan { .minutes(road == .brief ? 10 : 40) }
    private var quietSince: TimeSpan?

    /// Both posts have had their turn since it became quiet: what the server judged last is there.
    private func settled() -> Bool {
        quietSince = quietSince ?? time.passed
        // Long enough for a comparison with a server that was restored.
        let needed = restored.isEmpty ? 700 : 2 * comparisonInterval.seconds + 200
        return time.passed.seconds - (quietSince?.seconds ?? 0) > needed
    }

    func record(_ plate: String, isAtA: Bool) throws {
        let post = post(isAtA)
        if chance.happens(0.05) { post.cutPower() }
        let isRight = post.clock.error.milliseconds == 0
        try post.record(plate, clockState: isRight ? .synchronised : .untrusted, hasPhoto: chance.happens(0.5))
        // A pair that a ranger acted on stays, also one that turns out to be none: of a vehicle that comes back there are such for a while.
        let returning = Set(trips.filter { $0.back != nil }.map { Plate(canonical: $0.plate) })
        if chance.happens(0.4) { try posts[Int.random(in: 0..<2, using: &chance)].act(&chance, sparing: returning) }
    }

    private func pass(until moment: TimeSpan) throws {
        while true {
            let next = everyone.map { $0.nextTick - posts[0].clock.uptime }.map { max($0.milliseconds, 0) }
            guard let index = next.indices.min(by: { next[$0] < next[$1] }) else { break }
            let due = TimeSpan.milliseconds(time.passed.milliseconds + next[index])
            guard due <= moment, time.passed <= moment else { break }
            time.advance(to: due)
            try everyone[index].tick()
            if posts.indices.contains(index) {
                if !goesServerBack { try people?.look(at: posts[index]) }
                try peer.turn(posts[index], posts[1 - index])
            }
            // Even a tick that has nothing to do takes a moment.
            time.advance(.milliseconds(20))
        }
        time.advance(to: moment)
        for post in everyone {
            post.link.deliverLate()
            post.texts.deliver()
        }
    }

    var trace: [String] { everyone.flatMap(\.link.trace) }
}
