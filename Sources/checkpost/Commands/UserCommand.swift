import Appliance
import ArgumentParser
import Console
import Enforcement
import Foundation
import Setup
import Storage

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Who may use the console: add, list, remove, change the password.",
        discussion: """
            Passwords and PINs are asked for without showing them; without a terminal they are the first lines of the \
            standard input. A PIN signs in at the box's own screen only.

            Example: checkpost user add ram --full-name "Ram Thapa" --pin
            """,
        subcommands: [
            UserListCommand.self, UserAddCommand.self, UserPasswordCommand.self, UserRemoveCommand.self,
        ], defaultSubcommand: UserListCommand.self)

    static func name(_ text: String) throws -> String {
        let name = text.lowercased()
        guard User.isName(name) else {
            throw ValidationError("\"\(text)\" is no user name: 1 to 64 letters, digits and . _ - @")
        }
        return name
    }

    /// A new password, asked for twice at a terminal.
    static func newPassword() throws -> Secret {
        try newSecret("Password", problem: PasswordHash.problem(password:))
    }

    static func newPIN() throws -> Secret { try newSecret("PIN", problem: PasswordHash.problem(pin:)) }

    private static func newSecret(_ what: String, problem: (String) -> String?) throws -> Secret {
        let secret = SecretPrompt.ask("\(what): ") ?? ""
        if let problem = problem(secret.revealed) { throw AdvisedError(problem, hint: "Nothing was changed.") }
        if SecretPrompt.isTerminal, SecretPrompt.ask("Again: ") != secret {
            throw AdvisedError("The two are not the same.", hint: "Nothing was changed.")
        }
        return secret
    }
}

struct UserListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the users.")

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print one JSON object a user.")
    var json = false

    func run() throws {
        let users = try store.openStore().accounts.users()
        if json { return try users.forEach { try Output.printJSON(ListedUser($0)) } }
        guard !users.isEmpty else { return print("There are no users. `checkpost user add NAME` makes one.") }
        print(TextTable.users(users).text)
    }
}

struct UserAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user. On a new box this makes the first account.")

    @OptionGroup var store: StoreOptions
    @Argument(help: "The name to sign in with.") var name: String
    @Option(help: "The name for people.") var fullName: String?
    @Option(help: "ranger or technician.") var role = "ranger"
    @Flag(help: "Also ask for a PIN for the box's own screen.") var pin = false

    func run() throws {
        let name = try UserCommand.name(name)
        guard let role = User.Role(rawValue: role) else {
            throw ValidationError("\"\(role)\" is no role: ranger or technician.")
        }
        let store = try store.openStore(making: true)
        guard try store.accounts.user(name) == nil else {
            throw AdvisedError("There is a user \(name) already.", hint: "`checkpost user password` changes it.")
        }
        let password = try UserCommand.newPassword()
        let pin = self.pin ? try UserCommand.newPIN() : nil
        try store.accounts.add(
            User(
                name: name, fullName: fullName ?? name, role: role, origin: .box,
                passwordHash: try PasswordHash.make(password.revealed),
                pinHash: try pin.map { try PasswordHash.make($0.revealed) },
                createdAt: BoxClock.now))
        print("\(name) may sign in as \(role.rawValue).")
    }
}

struct UserPasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Change a user's password or PIN. It opens a locked account and ends its sessions.")

    @OptionGroup var store: StoreOptions
    @Argument(help: "The user.") var name: String
    @Flag(help: "Change the PIN instead.") var pin = false

    func run() throws {
        let name = try UserCommand.name(name)
        let store = try store.openStore()
        guard try store.accounts.user(name) != nil else {
            throw AdvisedError("There is no user \(name).", hint: "`checkpost user list` names them.")
        }
        if pin {
            try store.accounts.setSecrets(
                ofUser: name, pinHash: try PasswordHash.make(try UserCommand.newPIN().revealed))
        } else {
            let password = try UserCommand.newPassword()
            try store.accounts.setSecrets(ofUser: name, passwordHash: try PasswordHash.make(password.revealed))
        }
        print("Changed. \(name) is signed out everywhere.")
    }
}

struct UserRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a user. What they recorded keeps their name.")

    @OptionGroup var store: StoreOptions
    @Argument(help: "The user.") var name: String

    func run() throws {
        let name = try UserCommand.name(name)
        try store.openStore().accounts.remove(name)
        print("\(name) can't sign in any more.")
    }
}
