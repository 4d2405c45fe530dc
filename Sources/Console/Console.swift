import Enforcement
import Foundation
import Logging
import Pages
import Ranger
import Storage

/// What every page and every action works with.
package struct Console: Sendable {
    package let configuration: ConsoleConfiguration
    package let post: Checkpost

    /// The code of the post at the other end.
    let otherPost: String
    package let store: Store
    package let photos: PhotoStore
    package let host: any ConsoleHost
    package let live: LivePictures
    package let hub: EventHub
    let alerts: AlertBoard
    let connections = ConnectionCount.ofConsole()
    let ranger: RangerActions
    let sessions: SessionKeeper
    let signIn: SignIn
    let press: NoticePress

    /// Nil where the configuration names none.
    let printer: ReceiptPrinter?
    let signInThrottle: Throttle
    let requestThrottle: Throttle
    let log: Logger
    private let clock: @Sendable () -> Instant

    package init(
        configuration: ConsoleConfiguration, post: Checkpost, otherPost: String, store: Store, photos: PhotoStore,
        host: any ConsoleHost,
        live: LivePictures, log: Logger,
        clock: @escaping @Sendable () -> Instant = { Instant(seconds: Date().timeIntervalSince1970) }
    ) {
        self.configuration = configuration
        self.post = post
        self.otherPost = otherPost
        self.store = store
        self.photos = photos
        self.host = host
        self.live = live
        self.log = log
        self.clock = clock
        ranger = RangerActions(
            store: store, checkpostCode: post.code, time: { host.time },
            match: { passages in
                host.match(passages)
                return []
            }, clock: clock)
        hub = EventHub()
        alerts = AlertBoard(
            store: store, checkpostCode: post.code, hourLimits: configuration.hourLimits,
            isSimulated: { host.time.clockState == .simulated })
        sessions = SessionKeeper(
            store: store, length: .hours(configuration.sessionHours), offlineAge: configuration.offlineAge)
        signIn = SignIn(store: store, host: host, offlineAge: configuration.offlineAge, log: log)
        press = NoticePress(host: host)
        printer = configuration.printer.map { ReceiptPrinter(path: $0, store: store, log: log, clock: clock) }
        signInThrottle = Throttle(perMinute: 20)
        requestThrottle = Throttle(perMinute: 3000)
    }

    var now: Instant { clock() }

    /// The span of the day in Nepal that it is now.
    func today() -> (from: Instant, until: Instant) {
        let start = NepalTime.start(ofDay: NepalTime.day(now)) ?? Instant(milliseconds: 0)
        return (start, start + .hours(24))
    }

    func counts() throws -> CountsView {
        let day = today()
        return CountsView(
            try store.figures.counts(from: day.from, until: day.until),
            review: try store.figures.now().waitingForReview)
    }

    /// Vehicles inside too long, the one that is longest inside first.
    func openOverstays() throws -> [StoredOverstayAlert] {
        try store.alerts.list(limit: 200, now: now).sorted { $0.alert.entryTime < $1.alert.entryTime }
    }

    /// - Parameter withPictures: without, nothing is asked of the server either.
    func alertViews(_ alerts: [RangerAlert], _ texts: Texts, withPictures: Bool = true) -> [AlertView] {
        alerts.map { alert in
            let posts = AlertPosts(own: post.code, other: otherEnd(of: alert))
            var view = AlertView(alert, texts, at: posts, now: now) { passage, label in
                withPictures ? picture(of: passage, label: label, texts) : nil
            }
            if withPictures { view.earlier = earlierText(alert, texts) }
            return view
        }
    }

    /// The code of the post at the other end: of another road than this post's own, where it stands on several.
    private func otherEnd(of alert: RangerAlert) -> String {
        guard case .violation(let violation) = alert.subject else { return otherPost }
        return otherEnd(of: violation)
    }

    func otherEnd(of violation: Violation) -> String {
        let further = try? store.furtherPassages.checkpostCode(ofAny: [violation.entryClientID, violation.exitClientID])
        return further ?? otherPost
    }

    /// Where one goes on after one that waited: to the next, while there is one.
    func afterReview(_ said: String, of sighting: String) throws -> String {
        (try store.figures.now().waitingForReview > 0 ? "/review" : "/") + "?said=\(said)&of="
            + sighting.escapedForQuery
    }

    /// An alert of a violation as another page shows it, wherever it sounds.
    func alert(_ violation: Violation, raisedAt: Instant) throws -> RangerAlert {
        RangerAlert(
            subject: .violation(violation), raisedAt: raisedAt,
            isHere: try store.passages.unknown(among: [violation.exitClientID]).isEmpty)
    }

    func alert(_ stored: StoredOverstayAlert) throws -> RangerAlert {
        RangerAlert(
            subject: .overstay(stored), raisedAt: stored.raisedAt,
            isHere: try store.passages.unknown(among: [stored.alert.entryClientID]).isEmpty)
    }

    /// The size of a stored picture in pixels; nil when it is gone or can't be read.
    func size(ofPhoto sha256: String) -> (width: Int, height: Int)? {
        do {
            guard let record = try store.photos.record(sha256: sha256) else { return nil }
            return host.size(of: try photos.read(record))
        } catch {
            // The page is shown all the same, without the frame around the plate.
            log.warning("a photo can't be read", metadata: ["photo": "\(sha256)", "error": "\(error)"])
            return nil
        }
    }

    /// - Parameters:
    ///   - measured: whether the picture's size is wanted, which means to read its file.
    ///   - type: the vehicle type that was chosen in a form; nil for what the plate says.
    func review(
        _ stored: StoredSighting, _ texts: Texts, measured: Bool = true, chosen type: String? = nil
    ) throws -> ReviewView {
        let known = stored.state == .review ? try ranger.recordedAlready(stored) : nil
        return ReviewView(
            stored, size: measured && stored.hasPhoto ? size(ofPhoto: stored.sighting.bestFrame.sha256) : nil,
            recordedAlready: known, chosen: type.flatMap(VehicleType.init(rawValue:)), now: now, texts)
    }
}

extension ConnectionCount {
    /// The post's own screen always gets in. Browsers use six connections each.
    static let consoleBounds = Bounds(most: 200, mostOfOthers: 150, mostOfOne: 24)

    static func ofConsole() -> ConnectionCount {
        ConnectionCount(consoleBounds) { ConsoleContext.isAtPost($0) }
    }
}
