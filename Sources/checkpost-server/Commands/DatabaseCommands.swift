import ArgumentParser
import Foundation

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the database up to date with the SQL files.",
        discussion: """
            Each file is applied once, in its own transaction; the program has them inside. The connection is database.owner_url; it
            needs a superuser the first time, to make the roles, unless `deploy/server/database` or a Supabase project made them.
            Restart the server afterwards.
            """)

    @OptionGroup var option: ConfigurationOption

    @Option(help: "A folder with SQL files. Default: those that the program was built with.")
    var migrations: String?

    func run() throws {
        let migrator = try migrations.map { try Migrator(folder: $0) } ?? Migrator()
        let names = try migrator.migrate(option.ownerConnection())
        print(names.isEmpty ? "The database is up to date." : "Applied \(names.joined(separator: ", ")).")
    }
}

struct SeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Adds the pilot: Banke National Park, 45 km from BNP-A to BNP-B.",
        discussion: "Running it again changes nothing. Limits that the warden has changed stay as they are.")

    @OptionGroup var option: ConfigurationOption

    @Option(help: "Another file with SQL, for another park.")
    var file: String?

    func run() throws {
        let path = file ?? Resources.path("seed") + "/banke.sql"
        guard let sql = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Settings.Mistake(description: "\(path) can't be read. Name the file with --file.")
        }
        try option.ownerConnection().transaction { try $0.runScript(sql) }
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
        let count = try connection.transaction { connection in
            // The owner may call what is its own; the gateway's login is nothing by itself.
            if settings.ownerURL == nil { try connection.run("select set_config('role', 'service_role', true)") }
            return try connection.run("select checkpost.check_overstay()").scalar ?? "0"
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
