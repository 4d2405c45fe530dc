import ArgumentParser
import Foundation

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the database up to date with the SQL files.",
        discussion: """
            Migrations are applied once. Functions are made anew where their text is another than the one that was applied, or where
            somebody changed them in the database. All of it is one transaction; the program has the files inside. The connection is
            database.owner_url; it needs a superuser the first time, to make the roles, unless `deploy/server/database` or a Supabase
            project made them. Restart the server afterwards.
            """)

    @OptionGroup var owner: OwnerOption

    @Option(help: "A folder with migrations. Default: those that the program was built with.")
    var migrations: String?

    @Option(help: "A folder with functions. Default: those that the program was built with.")
    var functions: String?

    @Flag(help: "Say what was applied and what would be, and change nothing.")
    var status = false

    @Flag(help: "Do all of it, say what was done, and take it back: the database stays as it was.")
    var dryRun = false

    func validate() throws {
        if status && dryRun { throw ValidationError("Either --status or --dry-run.") }
    }

    func run() throws {
        let migrator = Migrator(
            files: try migrations.map { try MigrationFile.files(inFolder: $0) } ?? EmbeddedMigrations.all,
            functions: try functions.map { try FunctionFile.files(inFolder: $0) } ?? EmbeddedFunctions.all)
        let connection = try owner.connection()
        if status {
            let (lines, complaint) = try migrator.status(connection)
            print(lines.joined(separator: "\n"))
            print(complaint ?? "The database is up to date.")
            if complaint != nil { throw ExitCode(1) }
            return
        }
        if dryRun {
            let would = report(try migrator.migrate(connection, isTrial: true))
            return print(would + "\nAll of it was taken back: nothing is changed.")
        }
        print(report(try migrator.migrate(connection)))
        let policies = try migrator.missingStoragePolicies(connection)
        guard !policies.isEmpty else { return }
        print(
            """

            Photos can't be stored yet: this role may not make policies of storage.objects. Run these as the owner of that table
            (in a Supabase project: supabase_storage_admin):

            \(policies.joined(separator: "\n"))
            """)
    }

    private func report(_ changes: Migrator.Changes) -> String {
        var parts: [String] = []
        if !changes.migrations.isEmpty { parts.append("Applied \(changes.migrations.joined(separator: ", ")).") }
        let (made, dropped) = (changes.replacedFunctions.count, changes.droppedFunctions.count)
        if made > 0 { parts.append("Made \(made) \(made == 1 ? "function" : "functions") anew.") }
        if dropped > 0 {
            parts.append("Dropped \(dropped) without a file: \(changes.droppedFunctions.joined(separator: ", ")).")
        }
        return parts.isEmpty ? "The database is up to date." : parts.joined(separator: "\n")
    }
}

struct SeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Adds the pilot: Banke National Park, 45 km from BNP-A to BNP-B.",
        discussion: "Running it again changes nothing. Limits that the warden has changed stay as they are.")

    @OptionGroup var owner: OwnerOption

    @Option(help: "Another file with SQL, for another park.")
    var file: String?

    func run() throws {
        let path = file ?? Resources.path("seed") + "/banke.sql"
        guard let sql = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Settings.Mistake(description: "\(path) can't be read. Name the file with --file.")
        }
        try owner.connection().transaction { try $0.runScript(sql) }
        print("Seeded from \(path).")
    }
}

struct CheckOverstayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-overstay", abstract: "Looks once for vehicles that never came out, and raises alerts.",
        discussion: "The running server does this by itself every overstay.interval_minutes.")

    @OptionGroup var option: ConfigurationOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let settings = try option.settings()
        let connection = try option.ownerConnection()
        let count = try option.asService(connection, settings) {
            try $0.run("select checkpost.check_overstay()").scalar ?? "0"
        }
        print(json ? #"{"alerts_created":\#(count)}"# : "\(count) new overstay alerts.")
    }
}

/// Where the files are that are not in the program: in the working copy, or installed beside the program.
enum Resources {
    static func path(_ name: String) -> String {
        // Not the first argument: found in the PATH, the program is called by its bare name.
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent()
        let candidates = [
            "deploy/server/\(name)", program.appendingPathComponent("share/checkpost-server/\(name)").path,
            "/usr/share/checkpost-server/\(name)",
        ]
        return candidates.first { FileManager.default.fileExists(atPath: $0) } ?? candidates[0]
    }
}
