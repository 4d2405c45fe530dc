import ArgumentParser
import Foundation

struct RetentionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Says how long what is kept, what would go now, and what went.",
        discussion: """
            The terms stand in the configuration, under [retention]; without them everything is kept for ever. The running server removes \
            once a day what its term is over for. What is open never goes: a violation without an outcome, an overstay that nobody settled, \
            and their passages and photos.

            Examples:
              sudo checkpost-server retention          what would go, and what went
              sudo checkpost-server retention --run    does it now
            """)

    @OptionGroup var option: ConfigurationOption

    @Flag(name: .customLong("run"), help: "Remove now what its term is over for.")
    var removesNow = false

    /// What would go now, and what stays although its term is over.
    private struct Due: Decodable {
        var passages: Int
        var violations: Int
        var photos: Int
        var changes: Int
        var openViolations: Int
    }

    private struct Gone: Decodable {
        var month: String
        var kind: String
        var count: Int
    }

    func run() throws {
        let settings = try option.settings()
        let connection = try option.ownerConnection()
        let days = settings.keptDays
        for (name, value) in KeptDays.parts {
            let term = days[keyPath: value]
            print("\(name): " + (term == 0 ? "for ever" : "\(term) days"))
        }
        if !days.keepsAll {
            let policy = try days.json
            let due = try option.asService(connection, settings) {
                try $0.object(Due.self, "select checkpost.due_removals($1::jsonb)", [policy])
            }
            print(
                """
                Due now: \(due.passages) passages, \(due.violations) violations, \(due.photos) photos (and those of the passages), \
                \(due.changes) changes.
                """)
            if due.openViolations > 0 {
                print("\(due.openViolations) violations stay beyond their term: they have no outcome.")
            }
        }
        if removesNow {
            if days.keepsAll {
                throw Settings.Mistake(
                    description:
                        "Everything is kept for ever: there are no terms under [retention] of the configuration.")
            }
            let answer = try option.asService(connection, settings) {
                try $0.run("select checkpost.begin_removals()").scalar
            }
            guard answer != "clock" else {
                throw Settings.Mistake(
                    description:
                        "Nothing is removed: no passage of the last month is here. Is the clock of this machine right?")
            }
            try remove(days, connection, settings)
        }
        let gone = try option.asService(connection, settings) {
            try $0.list(
                Gone.self,
                """
                select to_char(r.day, 'YYYY-MM') as month, r.kind, sum(r.count)::bigint as count from public.removals r
                where r.day > now() - interval '13 months' group by 1, 2 order by 1, 2
                """)
        }
        if gone.isEmpty { print("Nothing was ever removed in the last year.") }
        for row in gone { print("Removed in \(row.month): \(row.count) \(row.kind)") }
    }

    private func remove(_ days: KeptDays, _ connection: PostgresConnection, _ settings: Settings) throws {
        let photos = try PhotoStore(settings)
        var round = try RemovalRound(days)
        var isMore = true
        var stuck: [RemovalRound.Stuck] = []
        while isMore {
            isMore = try option.asService(connection, settings) { try round.step($0) }
            // What can't be removed is tried once more at the end, and not after each step.
            if stuck.isEmpty { stuck = try removeFiles(photos, connection, settings) }
        }
        if !stuck.isEmpty { stuck = try removeFiles(photos, connection, settings) }
        if let first = stuck.first {
            print("\(stuck.count) photos stay until the server tries again. The first: \(first).")
        }
        print("Done.")
    }

    /// One that can't be removed keeps none behind it. Where none of a page can be it is at its end.
    private func removeFiles(
        _ photos: PhotoStore, _ connection: PostgresConnection, _ settings: Settings
    ) throws -> [RemovalRound.Stuck] {
        while true {
            let hashes = try option.asService(connection, settings) { try RemovalRound.loosePhotos($0) }
            var stuck: [RemovalRound.Stuck] = []
            for hash in hashes {
                do {
                    try option.asService(connection, settings) { try RemovalRound.settle(hash, photos, $0) }
                } catch let one as RemovalRound.Stuck { stuck.append(one) }
            }
            guard stuck.count < hashes.count else { return stuck }
        }
    }
}
