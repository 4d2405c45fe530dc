import Enforcement
import Foundation
import Logging
import Storage

/// Lets people in. One check at a time: each takes a tenth of a second and 32 MB, which a flood must not multiply.
actor SignIn {
    enum Way: Sendable, Equatable {
        case password(String)
        /// Only at the post's own screen.
        case pin(String)

        var secret: User.Secret {
            switch self {
            case .password: .password
            case .pin: .pin
            }
        }
    }

    enum Answer: Sendable, Equatable {
        case welcome(User)
        case refused
        case locked(until: Instant)
        /// Nobody here knows the name, and the server that might can't be asked.
        case serverUnreachable
    }

    private let store: Store
    private let host: any ConsoleHost
    private let log: Logger

    init(store: Store, host: any ConsoleHost, log: Logger) {
        self.store = store
        self.host = host
        self.log = log
    }

    func check(_ name: String, _ way: Way, at now: Instant) async throws -> Answer {
        let name = name.lowercased().trimmingCharacters(in: .whitespaces)
        guard User.isName(name) else {
            PasswordHash.verifyNothing("")
            return .refused
        }
        guard let user = try store.user(name) else {
            guard case .password(let password) = way else {
                PasswordHash.verifyNothing("")
                return .refused
            }
            return try await askServer(name, password, known: nil, at: now)
        }
        if let until = user.lock(of: way.secret).waitsUntil(at: now) { return .locked(until: until) }
        let isRight =
            switch way {
            case .password(let password): user.passwordHash.map { PasswordHash.verify(password, $0) } ?? false
            case .pin(let pin): user.pinHash.map { PasswordHash.verify(pin, $0) } ?? false
            }
        if isRight { return .welcome(user) }
        // A password that was changed at the server is news to this box.
        if user.origin == .server, case .password(let password) = way,
            case .welcome(let changed) = try await askServer(name, password, known: user, at: now)
        {
            return .welcome(changed)
        }
        try store.changeLock(of: way.secret, ofUser: name) { $0.failed(at: now) }
        let after = try store.user(name)?.lock(of: way.secret)
        log.warning(
            "a sign-in was refused", metadata: ["user": "\(name)", "failures": "\(after?.failureCount ?? 0)"])
        return after?.waitsUntil(at: now).map { .locked(until: $0) } ?? .refused
    }

    private func askServer(_ name: String, _ password: String, known: User?, at now: Instant) async throws -> Answer {
        guard !password.isEmpty, password.utf8.count <= PasswordHash.maximumBytes,
            let verdict = await host.signInAtServer(name: name, password: password)
        else {
            PasswordHash.verifyNothing(password)
            return .refused
        }
        switch verdict {
        case .refused: return .refused
        case .unreachable: return .serverUnreachable
        case .accepted(let fullName, let isTechnician):
            let hash = try PasswordHash.make(password)
            if known != nil {
                try store.setSecrets(ofUser: name, passwordHash: hash)
            } else {
                try store.add(
                    User(
                        name: name, fullName: fullName, role: isTechnician ? .technician : .ranger, origin: .server,
                        passwordHash: hash, createdAt: now))
            }
            return try store.user(name).map { .welcome($0) } ?? .refused
        }
    }
}
