import Enforcement
import Foundation
import Pages
import Storage

/// What a technician does about who may sign in.
struct UserDesk: Sendable {
    let console: Console

    /// - Throws: `ConsoleError` for what makes no account.
    func add(_ fields: Fields) throws {
        let name = try name(fields)
        guard let role = fields["role"].flatMap(User.Role.init(rawValue:)) else { throw ConsoleError.input }
        let fullName = fields["full_name"] ?? name
        guard fullName.count <= 100 else { throw ConsoleError.input }
        guard try console.store.accounts.user(name) == nil else {
            throw ConsoleError(.conflict, "error_user_taken")
        }
        let (password, pin) = try secrets(fields)
        guard password != nil else { throw ConsoleError(.unprocessableContent, "error_password") }
        try console.store.accounts.add(
            User(
                name: name, fullName: fullName, role: role, origin: .box, passwordHash: password, pinHash: pin,
                createdAt: console.now))
    }

    /// Gives somebody another password, another PIN, or both. They are signed out everywhere.
    func setSecrets(_ fields: Fields) throws {
        let name = try known(fields)
        let (password, pin) = try secrets(fields)
        guard password != nil || pin != nil else { throw ConsoleError(.unprocessableContent, "error_password") }
        try console.store.accounts.setSecrets(ofUser: name, passwordHash: password, pinHash: pin)
    }

    /// Nobody removes themselves: a box without a technician could be kept by nobody.
    func remove(_ fields: Fields, by technician: String) throws {
        let name = try known(fields)
        guard name != technician else { throw ConsoleError(.conflict, "error_user_self") }
        try console.store.accounts.remove(name)
    }

    private func name(_ fields: Fields) throws(ConsoleError) -> String {
        guard let name = fields["name"]?.lowercased(), User.isName(name) else {
            throw ConsoleError(.unprocessableContent, "error_user_name")
        }
        return name
    }

    private func known(_ fields: Fields) throws -> String {
        let name = try name(fields)
        guard try console.store.accounts.user(name) != nil else { throw ConsoleError(.conflict, "error_gone") }
        return name
    }

    /// Hashes of what was typed; nil for what was left empty.
    private func secrets(_ fields: Fields) throws -> (password: String?, pin: String?) {
        let password = fields.exact("password").flatMap { $0.isEmpty ? nil : $0 }
        let pin = fields["pin"].flatMap { $0.isEmpty ? nil : $0 }
        if let password, PasswordHash.problem(password: password) != nil {
            throw ConsoleError(.unprocessableContent, "error_password")
        }
        if let pin, PasswordHash.problem(pin: pin) != nil { throw ConsoleError(.unprocessableContent, "error_pin") }
        return (try password.map(PasswordHash.make), try pin.map(PasswordHash.make))
    }
}
