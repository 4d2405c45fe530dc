import ArgumentParser
import Foundation

struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Offers packages of the box's program to the posts.",
        discussion: """
            A box takes none by itself: it says that one is offered, and `sudo checkpost update --offered` at the box fetches it, checks its \
            signature and tries it for ten minutes.

            Example: sudo checkpost-server update offer checkpost_1.3.0+debian12_arm64.deb --checkpost BNP-A
            """,
        subcommands: [Offer.self, List.self, End.self])

    struct Offer: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Offers a package, with FILE.sig beside it.")

        @OptionGroup var owner: OwnerOption
        @Argument(help: "The package: checkpost_VERSION_ARCH.deb.") var file: String
        @Option(help: "The code of the one checkpost that it is for; without it for all.") var checkpost: String?

        func run() throws {
            let store = UpdateStore(folder: try owner.option.settings().updateFolder)
            let connection = try owner.connection()
            let post = try UpdateCommand.post(checkpost, connection)
            let name = URL(fileURLWithPath: file).lastPathComponent
            guard name.wholeMatch(of: /checkpost_[0-9][0-9A-Za-z.+~\-]{0,127}_[a-z0-9]{1,32}\.deb/) != nil else {
                throw Settings.Mistake(
                    description:
                        "\(name) is no name of a box's package: checkpost_VERSION_ARCH.deb, as deploy/package gives it."
                )
            }
            let package = try store.take(file)
            try connection.transaction { connection in
                // The same name with other bytes takes the place of the former ones.
                try connection.run(
                    """
                    update public.box_updates set ended_at = now()
                    where ended_at is null and file_name = $1 and checkpost_id is not distinct from $2::uuid
                    """, [package.fileName, post])
                try connection.run(
                    """
                    insert into public.box_updates (file_name, bytes, sha256, signature, checkpost_id)
                    values ($1, $2::bigint, $3, $4, $5::uuid)
                    """, [package.fileName, "\(package.bytes)", package.sha256, package.signature, post])
            }
            store.keepOnly(try UpdateCommand.offered(connection))
            print("\(package.fileName) is offered to \(checkpost ?? "all posts"), \(package.bytes) bytes.")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists what is offered, and to whom.")

        @OptionGroup var owner: OwnerOption

        func run() throws {
            let rows = try owner.connection().run(
                """
                select u.file_name, coalesce(c.code, 'all posts'), u.bytes,
                    to_char(u.offered_at at time zone 'Asia/Kathmandu', 'YYYY-MM-DD HH24:MI')
                from public.box_updates u left join checkposts c on c.id = u.checkpost_id
                where u.ended_at is null order by u.offered_at desc, u.file_name
                """
            ).rows
            if rows.isEmpty { print("Nothing is offered.") }
            for row in rows {
                print(row.map { $0 ?? "" }.joined(separator: "  "))
            }
        }
    }

    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Offers a package no more.")

        @OptionGroup var owner: OwnerOption
        @Argument(help: "Its name, as `update list` says it.") var name: String
        @Option(help: "Only for this checkpost.") var checkpost: String?

        func run() throws {
            let store = UpdateStore(folder: try owner.option.settings().updateFolder)
            let connection = try owner.connection()
            let post = try UpdateCommand.post(checkpost, connection)
            let ended = try connection.run(
                """
                update public.box_updates set ended_at = now()
                where ended_at is null and file_name = $1 and ($2::uuid is null or checkpost_id = $2::uuid) returning id
                """, [name, post]
            ).rows
            guard !ended.isEmpty else {
                throw Settings.Mistake(description: "No such offer holds. `update list` shows them.")
            }
            store.keepOnly(try UpdateCommand.offered(connection))
            let left = try connection.run(
                "select 1 from public.box_updates where ended_at is null and file_name = $1", [name]
            ).rows
            print(
                "\(name) is offered no more\(left.isEmpty ? "." : " there; `update list` shows to whom it still is.")")
        }
    }

    /// The id of a checkpost that is named.
    private static func post(_ code: String?, _ connection: PostgresConnection) throws -> String? {
        try code.map { code in
            guard let id = try connection.run("select id from checkposts where code = $1", [code]).scalar else {
                throw Settings.Mistake(description: "There is no checkpost \(code).")
            }
            return id
        }
    }

    /// The hashes of what is offered.
    private static func offered(_ connection: PostgresConnection) throws -> Set<String> {
        Set(try connection.run("select sha256 from public.box_updates where ended_at is null").rows.compactMap(\.[0]))
    }
}
