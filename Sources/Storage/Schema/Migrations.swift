import GRDB

/// The versions of the database's schema, in order.
///
/// A migration that has left the house is never changed: what a post has on its disk is what it was then. A change is a new
/// migration. Conventions of every table:
///
/// - Times are INTEGER milliseconds since 1970, UTC. UUIDs are lower-case TEXT. Enumerations are their raw TEXT under a CHECK.
/// - Tables are STRICT, so that a value of the wrong type is refused when it is written and not when it is read.
/// - What a ranger or the server decided is never deleted: it gets a time in a column such as `withdrawn_at`.
enum Migrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 passages, matching, queue") { db in
            for script in [passages, sightings, frames, matching, queue, appliance] { try db.execute(sql: script) }
        }
        migrator.registerMigration("2 withdrawn passages of the other post") { db in
            try db.execute(sql: "ALTER TABLE remote_passages ADD COLUMN withdrawn_at INTEGER")
        }
        registerSync(in: &migrator)
        registerSMS(in: &migrator)
        migrator.registerMigration("5 console") { db in try db.execute(sql: console) }
        migrator.registerMigration("6 a lock for PINs") { db in try db.execute(sql: pinLock) }
        registerChanges(in: &migrator)
        migrator.registerMigration("10 what waits for review at the other post") { db in
            try db.execute(sql: otherPostReviews)
        }
        migrator.registerMigration("11 tolerance") { db in try db.execute(sql: tolerance) }
        migrator.registerMigration("10 discarded by rangers") { db in
            try db.execute(
                sql: """
                    CREATE INDEX sightings_discarded ON sightings (decided_at)
                        WHERE state = 'discarded' AND decided_by IS NOT NULL
                    """)
        }
        migrator.registerMigration("8 what matching has to look at") { db in try db.execute(sql: matchWork) }
        registerInbox(in: &migrator)
        migrator.registerMigration("10 what the server says of accounts") { db in
            try db.execute(sql: serverStanding)
        }
        registerComparison(in: &migrator)
        migrator.registerMigration("14 alerts that were seen") { db in try db.execute(sql: seenAlerts) }
        migrator.registerMigration("15 alerts that were shown") { db in try db.execute(sql: shownAlerts) }
        migrator.registerMigration("16 what goes, and what went") { db in try db.execute(sql: retention) }
        migrator.registerMigration("17 backups") { db in try db.execute(sql: backups) }
        migrator.registerMigration("19 the clock") { db in try db.execute(sql: clock) }
        migrator.registerMigration("20 the queue's order") { db in try db.execute(sql: queueOrder) }
        migrator.registerMigration("21 the machine") { db in try db.execute(sql: machine) }
        migrator.registerMigration("22 evidence") { db in try db.execute(sql: evidence) }
        migrator.registerMigration("23 plates to watch for") { db in try db.execute(sql: wanted) }
        migrator.registerMigration("24 which passages came by a text") { db in try db.execute(sql: textTimes) }
        migrator.registerMigration("25 up to when cameras watched") { db in try db.execute(sql: cameraWatch) }
        migrator.registerMigration("26 masks that were drawn") { db in try db.execute(sql: masks) }
        migrator.registerMigration("27 which way vehicles went") { db in try db.execute(sql: travel) }
        migrator.registerMigration("28 how the box was") { db in try db.execute(sql: samples) }
        migrator.registerMigration("29 what the park lists") { db in try db.execute(sql: listed) }
        migrator.registerMigration("30 updates that are offered") { db in try db.execute(sql: offers) }
        migrator.registerMigration("31 limits of vehicle types") { db in try db.execute(sql: typeSpeeds) }
        migrator.registerMigration("32 certificate of the distance") { db in
            try db.execute(sql: distanceCertificate)
        }
        migrator.registerMigration("33 limits by hours") { db in try db.execute(sql: hourLimits) }
        migrator.registerMigration("34 what goes over the link") { db in try db.execute(sql: dataUse) }
        migrator.registerMigration("35 texts of several passages") { db in try db.execute(sql: signedTexts) }
        migrator.registerMigration("36 what a trigger told") { db in try db.execute(sql: triggerEvents) }
        migrator.registerMigration("37 passages of further roads") { db in try db.execute(sql: furtherPassages) }
        migrator.registerMigration("38 questions by SMS") { db in try db.execute(sql: questions) }
        migrator.registerMigration("39 the other post, asked itself") { db in try db.execute(sql: peers) }
        migrator.registerMigration("40 violations that were taken back, by time") { db in
            try db.execute(sql: takenBackViolations)
        }
        migrator.registerMigration("41 outcomes over the direct link") { db in try db.execute(sql: peerOutcomes) }
        migrator.registerMigration("42 when nobody watched") { db in try db.execute(sql: unwatched) }
        migrator.registerMigration("43 boxes that lend their link") { db in try db.execute(sql: hubs) }
        migrator.registerMigration("44 texts kept for other boxes") { db in try db.execute(sql: keptTexts) }
        return migrator
    }
}
