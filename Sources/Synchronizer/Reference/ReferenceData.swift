import Enforcement
import Foundation
import ParkAPI
import Storage

/// Where the posts stand, what the limits are, and what the server has set for this device.
final class ReferenceData {
    private let context: SyncContext
    private let further: FurtherRoads

    /// When they are asked for again, on `SyncClock.uptime`.
    private var next: Instant

    /// The same of packages, which are offered some times a year.
    private var nextOffers: Instant
    private static let offerInterval = TimeSpan.hours(1)
    private var lastSettings: [String: String]?

    /// What the server's mark of all this was last, and what it was before all this was read.
    private var mark: String?
    private var readMark: String?

    /// On `SyncClock.uptime`.
    private var readAt: Instant?

    /// Whether all of it was read then: what failed is asked for again at the usual pace.
    private var isWhole = true

    /// So often they are asked for where the server marks them, whatever the mark says.
    static let markedInterval = TimeSpan.hours(1)

    init(_ context: SyncContext) {
        self.context = context
        further = FurtherRoads(context: context)
        next = context.clock.uptime
        nextOffers = next
    }

    /// Takes the road as an earlier run left it.
    func recall() throws {
        guard let known = try context.store.segments.segment(ofCheckpost: context.server.checkpostCode) else { return }
        context.place = Place(segment: known.segment, checkposts: known.checkposts)
    }

    /// They are asked for with the next cycle: somebody asks for it, or the server speaks of what was not told.
    func expire() {
        next = context.clock.uptime
        nextOffers = next
    }

    /// The server says with its news whether any of it has changed: then it is asked for at once, and else seldom.
    func follow(_ mark: String?) throws {
        guard let mark else { return }
        self.mark = mark
        if mark != readMark {
            next = context.clock.uptime
            try refreshIfDue()
        }
        if isWhole, let readAt { next = max(next, readAt + Self.markedInterval) }
    }

    func refreshIfDue() throws {
        let wishes = try context.store.fetched.wishes().intersection([.road, .lists])
        guard context.place == nil || context.dialect == nil || context.clock.uptime >= next || !wishes.isEmpty else {
            return
        }
        let isAnew = wishes.contains(.road)
        let before = mark
        isWhole = true
        if isAnew { (context.dialect, lastSettings) = (nil, nil) }
        try chooseDialect()
        try refreshPlaces(isAnew: isAnew)
        if context.dialect?.schema == .ours {
            try refreshSettings()
            try refreshTextKey()
            try refreshLists()
            try refreshOffers()
            if let own = context.ownCheckpost, try !further.learn(own: own) { isWhole = false }
        }
        for wish in wishes { try context.store.fetched.done(wish) }
        (readMark, readAt) = (before, context.clock.uptime)
        next = context.clock.uptime + context.settings.referenceInterval
    }

    /// A server that refuses a question has nothing of that kind; any other one is asked again.
    private func noteFailure(_ verdict: Verdict) {
        if case .refused = verdict { return }
        isWhole = false
    }

    /// A server with the published columns alone refuses to select the others.
    private func chooseDialect() throws {
        guard context.dialect == nil else { return }
        for (question, knowsTravel) in [(ServerDialect.wholeQuestion, true), (ServerDialect.question, false)] {
            let (verdict, _) = try context.askForVerdict(.read(question))
            switch verdict {
            case .accepted:
                var dialect = ServerDialect.ours
                dialect.learn(.travel, knowsTravel)
                context.dialect = dialect
                return
            case .refused: continue
            default: throw CycleEnd("Asking for the server's columns: \(verdict.reason)")
            }
        }
        context.dialect = .published
    }

    /// - Parameter isAnew: what is on record is written once more, and other roads are forgotten.
    private func refreshPlaces(isAnew: Bool) throws {
        let posts = RowQuery<CheckpostColumn>()
        let own = try context.rows(
            posts.whose(.code, .equals(context.server.checkpostCode)).telling(CheckpostRow.columns), CheckpostRow.self
        ).first
        guard let own else {
            let reason = "The server knows no checkpost \(context.server.checkpostCode)."
            try context.tellQueue(.signInRefused(reason))
            throw CycleEnd(reason)
        }
        let (row, ends) = try context.road(own.segment)
        guard let row, ends.contains(where: { $0.id == own.id }) else {
            throw CycleEnd("The server does not tell the segment of \(context.server.checkpostCode).")
        }
        guard let segment = row.segment else {
            throw CycleEnd("The server's segment makes no sense. \(row.problem ?? "")")
        }
        context.dialect?.learn(.tolerance, row.toleranceKmh != nil)
        let checkposts = ends.map(\.checkpost)
        try tellContradiction(with: checkposts)
        let place = Place(segment: segment, checkposts: checkposts)
        if context.place != place || isAnew {
            try context.store.segments.keep(segment, checkposts: checkposts, at: context.clock.now)
            if isAnew { try context.store.segments.forgetOthers(than: row.id) }
            context.place = place
        }
    }

    /// What the file says of the road otherwise: it is told by `config check`, and here to whoever never asks it.
    private func tellContradiction(with road: [Checkpost]) throws {
        if let contradiction = context.server.configured?.contradiction(with: road) {
            try context.store.alarms.raise(
                "sync.place", .warning, contradiction, hint: "`checkpost config check` looks at it again.",
                at: context.clock.now)
        } else {
            try context.store.alarms.clear("sync.place", at: context.clock.now)
        }
    }

    /// Settings that the warden made for this post. They are stored; whoever reads the settings takes them from there.
    private func refreshSettings() throws {
        guard let own = context.ownCheckpost else { return }
        let (verdict, answer) = try context.askForVerdict(
            .read(RowQuery<SettingsColumn>().whose(.checkpost, .equals(own)).telling([.settings])))
        // A server without this table has no settings for us, and those it gave before hold on.
        guard case .accepted = verdict, let rows = try? answer?.rows(SettingsRow.self) else {
            return noteFailure(verdict)
        }
        var values: [String: String] = [:]
        for (key, value) in (rows.first?.settings ?? [:]).prefix(200) where key.utf8.count <= 100 {
            values[key] = try value.text()
        }
        guard values != lastSettings else { return }
        try context.store.settings.replace(values, from: .server, at: context.clock.now)
        lastSettings = values
    }

    /// Which version of texts the server wants, and what they are signed with.
    private func refreshTextKey() throws {
        let (verdict, answer) = try context.askForVerdict(FunctionCall(.textKey, NoQuestion()))
        // A server without this function wants nothing, and what it wanted before holds on.
        guard case .accepted = verdict, let word = answer?.object(TextKeyWord.self) else {
            return noteFailure(verdict)
        }
        do {
            try context.store.textKey.keep(word.key)
            try context.store.alarms.clear("sync.text_key", at: context.clock.now)
        } catch let error as StoreError {
            isWhole = false
            // Records go all the same; texts go as before.
            try context.store.alarms.raise(
                "sync.text_key", .warning, "The key for signed texts can't be kept: \(error.message)",
                hint: "Look at the disk: `checkpost self-test` tries it.", at: context.clock.now)
        }
    }

    /// Packages that the server offers to this post: what it offers no more is forgotten.
    private func refreshOffers() throws {
        guard context.clock.uptime >= nextOffers else { return }
        nextOffers = context.clock.uptime + Self.offerInterval
        let (verdict, answer) = try context.askForVerdict(.read(BoxUpdateRow.question))
        // As with the lists below.
        guard case .accepted = verdict, let rows = try? answer?.usableRows(BoxUpdateRow.self).rows else {
            return noteFailure(verdict)
        }
        try context.store.offeredUpdates.replace(rows.map(\.offer))
    }

    /// Plates that the park's office lists for this road: what it takes off is off here, too.
    private func refreshLists() throws {
        let (verdict, answer) = try context.askForVerdict(
            .read(
                RowQuery<ListedPlateColumn>().whose(.endedAt, .isNull).telling(ListedPlateRow.columns)
                    .limited(to: ContractLimits.listedPlates * ListedPlate.Kind.allCases.count)))
        // A server without this table lists nothing, and what it listed before holds on. A row that makes no sense is left out.
        guard case .accepted = verdict, let rows = try? answer?.usableRows(ListedPlateRow.self).rows else {
            return noteFailure(verdict)
        }
        try context.store.listedPlates.replace(rows.map(\.listed))
    }
}
