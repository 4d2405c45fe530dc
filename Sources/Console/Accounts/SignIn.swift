import Enforcement
import Foundation
import Logging
import Storage

/// Lets people in. One check at a time: each takes a tenth of a second and 32 MB, which a flood must not multiply.
actor SignIn {
    enum Way: Sendable, Equatable {
        case password(Secret)
        /// Only at the post's own screen.
        case pin(Secret)

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
        /// Nobody here knows the name, or not for long enough, and the server that might can't be asked.
        case serverUnreachable
        /// The server's last word on the account is too old for a PIN.
        case passwordWanted
    }

    private let store: Store
    private let host: any ConsoleHost
    private let log: Logger

    /// How long the server's last word on an account counts.
    private let offlineAge: TimeSpan

    init(store: Store, host: any ConsoleHost, offlineAge: TimeSpan, log: Logger) {
        self.store = store
        self.host = host
        self.offlineAge = offlineAge
        self.log = log
    }

    func check(_ name: String, _ way: Way, at now: Instant) async throws -> Answer {
        let name = name.lowercased().trimmingCharacters(in: .whitespaces)
        guard User.isName(name) else {
            PasswordHash.verifyNothing("")
            return .refused
        }
        guard let user = try store.accounts.user(name) else {
            guard case .password(let password) = way else {
                PasswordHash.verifyNothing("")
                return .refused
            }
            return try await askServer(name, password, known: nil, at: now)
        }
        var lock = user.lock(of: way.secret)
        if lock.settle(at: now) {
            try store.accounts.changeLock(of: way.secret, ofUser: name) { _ = $0.settle(at: now) }
        }
        if let until = lock.waitsUntil(at: now) { return .locked(until: until) }
        let isRight =
            switch way {
            case .password(let password): user.passwordHash.map { PasswordHash.verify(password.revealed, $0) } ?? false
            case .pin(let pin): user.pinHash.map { PasswordHash.verify(pin.revealed, $0) } ?? false
            }
        if isRight { return user.origin == .box ? .welcome(user) : try await confirm(user, way, at: now) }
        // A password that was changed at the server is news to this box.
        if user.origin == .server, case .password(let password) = way,
            case .welcome(let changed) = try await askServer(name, password, known: user, at: now)
        {
            return .welcome(changed)
        }
        try store.accounts.changeLock(of: way.secret, ofUser: name) { $0.failed(at: now) }
        let after = try store.accounts.user(name)?.lock(of: way.secret)
        log.warning(
            "a sign-in was refused", metadata: ["user": "\(name)", "failures": "\(after?.failureCount ?? 0)"])
        return after?.waitsUntil(at: now).map { .locked(until: $0) } ?? .refused
    }

    /// Somebody whom the server vouched for once: it is asked again, and its last word counts where it can't be.
    private func confirm(_ user: User, _ way: Way, at now: Instant) async throws -> Answer {
        let standing = user.standing ?? ServerStanding(isOpen: true, askedAt: user.createdAt)
        guard case .password(let password) = way else {
            if standing.holds(at: now, for: offlineAge) { return .welcome(user) }
            return standing.isOpen ? .passwordWanted : .refused
        }
        if standing.isFresh(at: now) { return standing.isOpen ? .welcome(user) : .refused }
        switch await host.signInAtServer(name: user.name, password: password) {
        case .accepted(let fullName, let isTechnician):
            try store.accounts.opened(
                user: user.name, fullName: fullName, role: isTechnician ? .technician : .ranger, at: now)
            return try store.accounts.user(user.name).map { .welcome($0) } ?? .refused
        case .refused, .closed:
            try store.accounts.closed(user: user.name, at: now)
            log.warning("the server lets an account in no more", metadata: ["user": "\(user.name)"])
            return .refused
        case .unreachable, nil:
            if standing.holds(at: now, for: offlineAge) { return .welcome(user) }
            return standing.isOpen ? .serverUnreachable : .refused
        }
    }

    private func askServer(_ name: String, _ password: Secret, known: User?, at now: Instant) async throws -> Answer {
        guard !password.isEmpty, password.revealed.utf8.count <= PasswordHash.maximumBytes,
            let verdict = await host.signInAtServer(name: name, password: password)
        else {
            PasswordHash.verifyNothing(password.revealed)
            return .refused
        }
        switch verdict {
        case .refused: return .refused
        case .closed:
            // The password is the server's: it is the account itself that is closed.
            if known != nil { try store.accounts.closed(user: name, at: now) }
            return .refused
        case .unreachable: return .serverUnreachable
        case .accepted(let fullName, let isTechnician):
            let hash = try PasswordHash.make(password.revealed)
            let role: User.Role = isTechnician ? .technician : .ranger
            if known != nil {
                try store.accounts.setSecrets(ofUser: name, passwordHash: hash)
                try store.accounts.opened(user: name, fullName: fullName, role: role, at: now)
            } else {
                var user = User(
                    name: name, fullName: fullName, role: role, origin: .server, passwordHash: hash, createdAt: now)
                user.standing = ServerStanding(isOpen: true, askedAt: now)
                try store.accounts.add(user)
            }
            return try store.accounts.user(name).map { .welcome($0) } ?? .refused
        }
    }
}
