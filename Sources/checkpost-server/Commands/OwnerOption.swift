import ArgumentParser

/// How to reach the database as the owner of its tables; an option of the commands that work as it.
struct OwnerOption: ParsableArguments {
    @OptionGroup var option: ConfigurationOption

    @Option(
        help: """
            Another database than the configuration's, as libpq takes it: a Supabase project's, which has no configuration here. Its \
            password stands in PGPASSWORD or ~/.pgpass, not in the arguments.
            """)
    var ownerURL: String?

    func connection() throws -> PostgresConnection {
        try ownerURL.map { try PostgresConnection(url: $0) } ?? option.ownerConnection()
    }
}
