import ArgumentParser
import Foundation
import ParkAPI

extension AccountRole: ExpressibleByArgument {}

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manages the accounts of rangers, boxes, wardens and auditors.",
        subcommands: [Add.self, List.self, SetPassword.self, SetActive.self, EndSecondFactor.self, Remove.self])

    /// The password never stands in the arguments, where every process on the machine can read it.
    struct PasswordOption: ParsableArguments {
        @Option(help: "An environment variable with the password. Without it the password is read from standard input.")
        var passwordVariable: String?

        func password() throws -> String {
            if let name = passwordVariable {
                guard let value = ProcessInfo.processInfo.environment[name] else {
                    throw ValidationError("The environment has no \(name).")
                }
                return value
            }
            if isatty(STDIN_FILENO) == 1 {
                guard let typed = getpass("Password: ") else { throw ValidationError("No password was given.") }
                return String(cString: typed)
            }
            guard let line = readLine(), !line.isEmpty else {
                throw ValidationError("Give the password on standard input.")
            }
            return line
        }
    }

    /// The account that a command is about.
    struct AccountArgument: ParsableArguments {
        @OptionGroup var owner: OwnerOption

        @Argument(help: "The e-mail address.")
        var email: String

        /// - Returns: the connection, and the account's id.
        func open() throws -> (PostgresConnection, String) {
            let connection = try owner.connection()
            guard let id = try connection.run("select id from auth.users where email = lower($1)", [email]).scalar
            else { throw Settings.Mistake(description: "There is no account \(email). `user list` shows them all.") }
            return (connection, id)
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds an account with its profile.")

        @OptionGroup var owner: OwnerOption
        @OptionGroup var passwordOption: PasswordOption

        @Argument(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The full name.")
        var name: String

        @Option(
            help:
                "A ranger has a post, a warden judges the records of all, an admin has accounts and roads, too, an auditor changes nothing."
        )
        var role = AccountRole.ranger

        @Option(help: "The code of the checkpost where a ranger works, such as BNP-A.")
        var checkpost: String?

        @Option(
            help:
                "The telephone number with its country, such as +9779841230000; its last four digits stand in the SMS.")
        var phone: String?

        func validate() throws {
            guard role != .ranger || checkpost != nil else {
                throw ValidationError("A ranger needs a --checkpost; without one it sees nothing.")
            }
            guard ![.warden, .auditor].contains(role) || checkpost == nil else {
                throw ValidationError("A \(role.rawValue) has no --checkpost: the records of all are shown.")
            }
            do { _ = try phone.map(AccountPhone.init) } catch { throw ValidationError("--phone: \(error)") }
        }

        func run() throws {
            let password = try passwordOption.password()
            let phone = try phone.map { try AccountPhone($0).description }
            let id = try owner.connection().transaction { connection in
                if try connection.run("select 1 from auth.users where email = lower($1)", [email]).scalar != nil {
                    throw Settings.Mistake(
                        description:
                            "There is an account \(email) already. `user set-password` gives it another password, "
                            + "`user list` shows them all.")
                }
                if let checkpost {
                    guard try connection.run("select 1 from checkposts where code = $1", [checkpost]).scalar != nil
                    else {
                        throw Settings.Mistake(description: "There is no checkpost \(checkpost).")
                    }
                }
                return try connection.run(
                    """
                    with account as (select (checkpost.insert_user($1, $2, null, null, null)).id as id)
                    insert into user_profiles (id, full_name, role, phone_number, assigned_checkpost_id, assigned_park_id)
                    select a.id, $3, $4, $5, c.id, s.park_id from account a
                        left join checkposts c on c.code = $6 left join highway_segments s on s.id = c.segment_id
                    returning id
                    """, [email, password, name, role.rawValue, phone, checkpost]
                ).scalar
            }
            print(id ?? "")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the accounts.")

        @OptionGroup var owner: OwnerOption

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let query = """
                select u.id, u.email, p.full_name, p.role, c.code as checkpost, coalesce(p.is_active, true) as is_active,
                    u.last_sign_in_at
                from auth.users u left join user_profiles p on p.id = u.id
                    left join checkposts c on c.id = p.assigned_checkpost_id order by u.email
                """
            let connection = try owner.connection()
            if json {
                print(try connection.run("select coalesce(json_agg(l), '[]') from (\(query)) l").scalar ?? "[]")
                return
            }
            for row in try connection.run(query).rows {
                let state = row[5] == "t" ? "active" : "inactive"
                print(
                    [row[1] ?? "", row[3] ?? "no profile", row[4] ?? "-", state, row[2] ?? ""].joined(separator: "  "))
            }
        }
    }

    struct SetPassword: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives an account a new password and ends its sessions.")

        @OptionGroup var account: AccountArgument
        @OptionGroup var passwordOption: PasswordOption

        func run() throws {
            let password = try passwordOption.password()
            let (connection, id) = try account.open()
            try connection.run(
                "select checkpost.admin_update_user($1::uuid, jsonb_build_object('password', $2::text))",
                [id, password])
            print("The password of \(account.email) was changed.")
        }
    }

    struct SetActive: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Switches an account on or off, at once.")

        @OptionGroup var account: AccountArgument

        @Argument(help: "yes or no.")
        var active: String

        func validate() throws {
            guard ["yes", "no"].contains(active) else { throw ValidationError("Say yes or no.") }
        }

        func run() throws {
            let (connection, id) = try account.open()
            try connection.run(
                "update user_profiles set is_active = $2::boolean where id = $1::uuid",
                [id, active == "yes" ? "t" : "f"])
            print("\(account.email) is \(active == "yes" ? "active" : "inactive").")
        }
    }

    struct EndSecondFactor: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets an account sign in with its password alone again: its telephone is lost.")

        @OptionGroup var account: AccountArgument

        func run() throws {
            let (connection, id) = try account.open()
            try connection.run("select checkpost.end_second_factor($1::uuid, null)", [id])
            print("\(account.email) signs in with its password alone.")
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes an account. What it recorded stays, without its name.")

        @OptionGroup var account: AccountArgument

        func run() throws {
            let (connection, id) = try account.open()
            try connection.run("select checkpost.admin_delete_user($1::uuid)", [id])
            print("Removed \(account.email).")
        }
    }
}
