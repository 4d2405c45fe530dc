import Enforcement
import Foundation
import ParkAPI
import Storage

/// The roads beside its own that this post stands on. Its passages count there by copies that the server makes, and the server judges
/// them: what it finds is fetched and shown. Matching here is about the post's own road. Decision note 0338.
struct FurtherRoads {
    /// A post stands on a few roads.
    static let most = 8

    /// So many violations of theirs are asked for again, the newest ones: one that the server took back is in no list.
    private static let mostAsked = 100

    let context: SyncContext

    /// Learns which they are, with their posts and limits. A server that knows of none says so, and an older one refuses the question.
    ///
    /// - Returns: false where the question failed: what was known of them stays.
    func learn(own: UUID) throws -> Bool {
        let posts = RowQuery<CheckpostColumn>()
        let (verdict, answer) = try context.askForVerdict(
            .read(
                posts.whose(.standsAt, .equals(own)).telling(CheckpostRow.columns + [.standsAt])
                    .limited(to: Self.most)))
        guard case .accepted = verdict, let copies = try? answer?.usableRows(CheckpostRow.self).rows else {
            guard case .refused = verdict else { return false }
            context.furtherRoads = []
            return true
        }
        context.furtherRoads = try copies.filter { $0.standsAt == own }.map { copy in
            let (row, ends) = try context.road(copy.segment)
            // Its name is shown with what happened there.
            if let segment = row?.segment {
                try context.store.segments.keep(segment, checkposts: ends.map(\.checkpost), at: context.clock.now)
            }
            return FurtherRoad(
                road: Road(segment: copy.segment, own: copy.id),
                codes: Dictionary(ends.map { ($0.id, $0.code) }) { first, _ in first })
        }
        return true
    }

    /// Fetches what the server found on them.
    ///
    /// - Returns: whether everything was read.
    func pull(_ findings: Findings) throws -> Bool {
        let pages = findings.pages
        var isComplete = true
        for further in context.furtherRoads {
            let feed = Feed<ViolationRow>(
                columns: try context.chosenDialect.violations, filters: [(.segment, .equals(further.road.segment))],
                cursor: PullCursor.violations.name(of: further.road.own), timeColumn: .createdAt,
                atFirst: (.exitTime, .isAtLeast(try pages.beginning(own: further.road.own))))
            let isRead = try pages.follow(feed) { rows, cursor in
                let known = try ofThisPost(rows, further, pages)
                try findings.take(known, cursor: cursor)
                context.counts.pulled += known.count
            }
            isComplete = isComplete && isRead
        }
        if !context.furtherRoads.isEmpty { try withdrawWhatIsGone() }
        return isComplete
    }

    /// The same violations with this post's passages in place of their copies. Of the passages of the posts at the other ends it is kept whose
    /// they are.
    private func ofThisPost(
        _ rows: [ViolationRow], _ further: FurtherRoad, _ pages: PageReader
    ) throws -> [ViolationRow] {
        var originals: [UUID: UUID] = [:]
        let ids = try context.store.reconciliation.unknownPassages(among: Set(rows.flatMap { [$0.entry, $0.exit] }))
        var missing = ids
        try pages.forEachRow(withID: Array(ids), columns: context.chosenDialect.otherPassages + [.copyOf]) { passages in
            missing.subtract(passages.map(\.id))
            var others: [FurtherPassage] = []
            for row in passages {
                if let original = row.copyOf, row.checkpost == further.road.own {
                    originals[row.id] = original
                } else if let code = row.checkpost.flatMap({ further.codes[$0] }) {
                    others.append(FurtherPassage(clientID: row.clientID, serverID: row.id, checkpostCode: code))
                }
            }
            try context.store.furtherPassages.keep(others, at: context.clock.now)
        }
        // One that is being written at this moment is out of view: it comes with a later cycle, and so does what refers to it.
        guard missing.isEmpty else {
            throw CycleEnd("The server is writing what its violations refer to; it is asked again.")
        }
        let told = rows.map { row in
            var row = row
            row.entry = originals[row.entry] ?? row.entry
            row.exit = originals[row.exit] ?? row.exit
            return row
        }
        // Still unknown: this post's from before a new disk.
        let unknown = try context.store.reconciliation.unknownPassages(
            among: Set(told.flatMap { [$0.entry, $0.exit] }))
        return told.filter { !unknown.contains($0.entry) && !unknown.contains($0.exit) }
    }

    private func withdrawWhatIsGone() throws {
        let shown = try context.store.reconciliation.violationsOfFurtherRoads(limit: Self.mostAsked)
        guard !shown.isEmpty else { return }
        // Not whether it is there: a row that is being written anew is out of view for a moment.
        let gone = try context.rows(
            RowQuery<WithdrawnViolationColumn>().whose(.id, .isAmong(shown.map(\.sent))).telling([.id]),
            WithdrawnViolationRow.self)
        try context.store.reconciliation.withdrawViolations(Set(gone.map(\.id)), at: context.clock.now)
    }
}

/// A road that this post stands on beside its own.
struct FurtherRoad {
    /// With the id that the post has there.
    var road: Road
    /// The codes of the posts there, by their ids.
    var codes: [UUID: String]
}
