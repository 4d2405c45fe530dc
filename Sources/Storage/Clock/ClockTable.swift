import Enforcement
import Foundation
import GRDB

/// What is known of the box's clock and its cameras', and the times that wait to be put right.
package struct ClockTable: Table {
    let store: Store
}

/// Who told the true time.
package enum TimeTeller: String, Sendable, Codable, CaseIterable {
    /// The box's own time service.
    case service
    /// The park's server.
    case server

    /// For a person.
    package var text: String {
        switch self {
        case .service: "time service"
        case .server: "server's clock"
        }
    }
}

/// A passage's time before it was put right.
package struct FormerTime: Sendable, Equatable {
    package var recordedAt: Instant

    /// What was added.
    package var moved: TimeSpan
    package var knownBy: TimeTeller
}

/// The box's clock was set.
package struct ClockStep: Sendable, Equatable {
    /// By the clock after it.
    package var at: Instant
    package var moved: TimeSpan

    /// Whether the clock before it was believed.
    package var wasBelieved: Bool

    package init(at: Instant, moved: TimeSpan, wasBelieved: Bool) {
        self.at = at
        self.moved = moved
        self.wasBelieved = wasBelieved
    }
}

extension ClockTable {
    /// Takes down what the server's answers say of the time.
    package func told(_ server: HostClock.ServerTime, at now: Instant) throws {
        try write("Noting the server's time") { db in
            try db.execute(
                cached: """
                    INSERT INTO boots (boot, server_start, server_asked_at, updated_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (boot) DO UPDATE SET server_start = excluded.server_start,
                        server_asked_at = excluded.server_asked_at, updated_at = excluded.updated_at
                    """,
                arguments: [
                    server.start.boot, server.start.startedAt.milliseconds, server.askedAt.milliseconds,
                    now.milliseconds,
                ])
        }
    }

    /// What the server said of the time in this run of the machine.
    package func serverTime(inRun boot: String) throws -> HostClock.ServerTime? {
        try read("Reading the server's time") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM boots WHERE boot = ? AND server_start IS NOT NULL", arguments: [boot]
            ).map {
                HostClock.ServerTime(
                    start: BootClock(boot: boot, startedAt: try $0.instant("server_start")),
                    askedAt: try $0.instant("server_asked_at"))
            }
        }
    }

    /// How many runs of the machine are remembered.
    static let mostBoots = 50

    /// Takes down when a run of the machine truly began. The time service's word stays before the server's.
    package func know(_ start: BootClock, by teller: TimeTeller, at now: Instant) throws {
        try write("Noting the true time") { db in
            try db.execute(
                cached: """
                    INSERT INTO boots (boot, true_start, known_by, updated_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (boot) DO UPDATE SET true_start = excluded.true_start, known_by = excluded.known_by,
                        updated_at = excluded.updated_at
                    WHERE excluded.known_by = 'service' OR boots.known_by IS NOT 'service'
                    """,
                arguments: [start.boot, start.startedAt.milliseconds, teller.rawValue, now.milliseconds])
            try db.execute(
                cached: """
                    DELETE FROM boots WHERE boot <> ? AND boot NOT IN (
                        SELECT boot FROM boots ORDER BY updated_at DESC LIMIT ?)
                    """, arguments: [start.boot, Self.mostBoots])
        }
    }

    /// Whether times wait to be put right.
    package func hasUnsettled() throws -> Bool {
        try read("Looking for times to put right") { try Self.hasUnsettled($0) }
    }

    static func hasUnsettled(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            cached: """
                SELECT EXISTS (SELECT 1 FROM passages WHERE boot IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM sightings WHERE best_boot IS NOT NULL)
                """) == true
    }

    /// Puts right what was stamped in a run of the machine whose true beginning is known, passages and sightings. What they were
    /// recorded with is kept; they are matched anew, and wait no longer to be sent.
    ///
    /// - Parameter limit: of each kind in this transaction.
    /// - Returns: how many passages were put right.
    package func putRight(limit: Int = 250, at now: Instant) throws -> Int {
        try write("Putting times right") { db in
            let passages = try Row.fetchAll(
                db,
                cached: """
                    SELECT p.client_id, p.recorded_at, b.true_start - p.boot_started_at AS moved, b.known_by
                    FROM passages AS p JOIN boots AS b ON b.boot = p.boot
                    WHERE p.boot IS NOT NULL AND b.true_start IS NOT NULL LIMIT ?
                    """, arguments: [limit])
            for row in passages {
                let id = try row.text("client_id")
                let former = try row.instant("recorded_at")
                let moved = try row.decode(Int64.self, forColumn: "moved")
                try db.execute(
                    cached: """
                        INSERT OR IGNORE INTO passage_times (passage_client_id, recorded_at, moved_ms, known_by, at)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        id, former.milliseconds, moved, try row.text("known_by"), now.milliseconds,
                    ])
                try EvidenceTable.append(
                    db,
                    .timed(
                        passage: try row.uuid("client_id"), from: former, to: former + .milliseconds(moved),
                        knownBy: try row.text("known_by")), at: now)
                if var standing = try ReconciliationTable.ownStanding(db, id) {
                    try ReconciliationTable.perform(db, standing.handle(.timeKnown, at: now), at: now)
                }
                try db.execute(
                    cached: """
                        UPDATE passages SET recorded_at = recorded_at + ?, clock_state = 'synchronised', boot = NULL,
                            boot_started_at = NULL WHERE client_id = ?
                        """, arguments: [moved, id])
                try db.execute(
                    cached:
                        "UPDATE sync_queue SET created_at = created_at + ? WHERE passage_client_id = ? AND entity = 'passage'",
                    arguments: [moved, id])
            }
            try db.execute(
                cached: """
                    UPDATE sightings SET first_seen_at = sightings.first_seen_at + b.moved,
                        last_seen_at = sightings.last_seen_at + b.moved,
                        best_recorded_at = sightings.best_recorded_at + b.moved, best_clock_state = 'synchronised',
                        best_boot = NULL, best_boot_started_at = NULL
                    FROM (SELECT s.id, o.true_start - s.best_boot_started_at AS moved
                        FROM sightings AS s JOIN boots AS o ON o.boot = s.best_boot
                        WHERE s.best_boot IS NOT NULL AND s.state <> 'open' AND o.true_start IS NOT NULL LIMIT ?) AS b
                    WHERE sightings.id = b.id
                    """, arguments: [limit])
            if !passages.isEmpty { store.changeHub.note(.queue) }
            return passages.count
        }
    }

    /// Waits no longer for the true time of other runs of the machine than this one: nobody will tell it.
    ///
    /// - Parameter boot: the run whose times go on waiting; nil when none do.
    /// - Returns: how many passages keep a time that can't be trusted.
    @discardableResult
    package func giveUp(except boot: String?) throws -> Int {
        try write("Giving up on times") { db in
            try db.execute(
                cached: """
                    UPDATE passages SET boot = NULL, boot_started_at = NULL WHERE boot IS NOT NULL AND boot IS NOT ?
                        AND NOT EXISTS (SELECT 1 FROM boots WHERE boots.boot = passages.boot
                            AND boots.true_start IS NOT NULL)
                    """, arguments: [boot])
            let count = db.changesCount
            try db.execute(
                cached: """
                    UPDATE sightings SET best_boot = NULL, best_boot_started_at = NULL
                    WHERE best_boot IS NOT NULL AND best_boot IS NOT ? AND NOT EXISTS (
                        SELECT 1 FROM boots WHERE boots.boot = sightings.best_boot AND boots.true_start IS NOT NULL)
                    """, arguments: [boot])
            if count > 0 { store.changeHub.note(.queue) }
            return count
        }
    }

    /// What a passage was recorded with, where its time was put right.
    package func formerTime(ofPassage id: UUID) throws -> FormerTime? {
        try read("Reading a former time") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM passage_times WHERE passage_client_id = ?", arguments: [id.stored]
            ).map {
                FormerTime(
                    recordedAt: try $0.instant("recorded_at"),
                    moved: .milliseconds(try $0.decode(Int64.self, forColumn: "moved_ms")),
                    knownBy: try $0.choice("known_by"))
            }
        }
    }
}

extension ClockTable {
    /// How many steps are remembered.
    static let mostSteps = 1000

    package func note(_ step: ClockStep) throws {
        try write("Noting a step of the clock") { db in
            try db.execute(
                cached: "INSERT INTO clock_steps (at, moved_ms, was_believed) VALUES (?, ?, ?)",
                arguments: [step.at.milliseconds, step.moved.milliseconds, step.wasBelieved])
            try db.execute(
                cached: "DELETE FROM clock_steps WHERE id <= ?",
                arguments: [db.lastInsertedRowID - Int64(Self.mostSteps)])
        }
    }

    /// Steps of the clock, the newest first.
    package func steps(limit: Int = 20) throws -> [ClockStep] {
        try read("Reading steps of the clock") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM clock_steps ORDER BY id DESC LIMIT ?", arguments: [limit]).map {
                ClockStep(
                    at: try $0.instant("at"), moved: .milliseconds(try $0.decode(Int64.self, forColumn: "moved_ms")),
                    wasBelieved: try $0.flag("was_believed"))
            }
        }
    }

    /// How far a camera's stamps are ahead of the box's clock, as learned; zero where they agree.
    package func ahead(ofCamera camera: String) throws -> TimeSpan {
        try read("Reading a camera's clock") { db in
            .milliseconds(
                try Int64.fetchOne(
                    db, cached: "SELECT ahead_ms FROM camera_clocks WHERE camera = ?", arguments: [camera]) ?? 0)
        }
    }

    package func set(ahead: TimeSpan, ofCamera camera: String, at now: Instant) throws {
        try write("Noting a camera's clock") { db in
            try db.execute(
                cached: """
                    INSERT INTO camera_clocks (camera, ahead_ms, updated_at) VALUES (?, ?, ?)
                    ON CONFLICT (camera) DO UPDATE SET ahead_ms = excluded.ahead_ms, updated_at = excluded.updated_at
                    """, arguments: [camera, ahead.milliseconds, now.milliseconds])
        }
    }
}
