import Enforcement
import Foundation

/// The state of the update on the disk. Several processes change it: the one that works on it, and each start of the service.
struct UpdateFile: Sendable {
    let places: UpdatePlaces

    /// Nil when no update is under way.
    func read() -> UpdateMachine? {
        FileManager.default.contents(atPath: places.state).flatMap {
            try? JSONDecoder().decode(UpdateMachine.self, from: $0)
        }
    }

    var lastEnding: UpdateEnding? {
        FileManager.default.contents(atPath: places.lastEnding).flatMap {
            try? JSONDecoder().decode(UpdateEnding.self, from: $0)
        }
    }

    /// Begins an update.
    ///
    /// - Throws: `AdvisedError` when one is under way.
    func begin(_ machine: UpdateMachine) throws {
        try locked {
            if let machine = read() { throw Self.underWay(machine) }
            try write(machine)
        }
    }

    static func underWay(_ machine: UpdateMachine) -> AdvisedError {
        AdvisedError(
            "An update to \(machine.version) is under way: \(machine.step.words).",
            hint: "checkpost update --status says how far it is; checkpost update --back ends it.")
    }

    /// Changes the state, durably, before anything is done about it.
    ///
    /// - Returns: the new state with what is to be done; nil when no update is under way.
    func handle(_ event: UpdateMachine.Event) throws -> (machine: UpdateMachine, actions: [UpdateMachine.Action])? {
        try locked {
            guard var machine = read() else { return nil }
            let before = machine
            let actions = machine.handle(event)
            if machine != before { try write(machine) }
            return (machine, actions)
        }
    }

    /// The update is over. The state goes last.
    func end(_ ending: UpdateEnding) throws {
        try locked {
            try DurableFolder.write(JSONEncoder.sorted.encode(ending), to: places.lastEnding)
            unlink(places.state)
            try DurableFolder.sync(places.folder)
        }
    }

    private func write(_ machine: UpdateMachine) throws {
        try DurableFolder.write(JSONEncoder.sorted.encode(machine), to: places.state)
    }

    private func locked<Result>(_ work: () throws -> Result) throws -> Result {
        let lock = try UpdateLock(places.lock, waits: true)
        defer { withExtendedLifetime(lock) {} }
        return try work()
    }
}

/// A lock that the kernel lets go of when its process ends.
final class UpdateLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `AdvisedError` when somebody else holds it and it is not waited for, or it can't be made.
    init(_ path: String, waits: Bool) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AdvisedError(
                "\(path) can't be written: \(String(cString: strerror(errno))).", hint: "Run this as root.")
        }
        guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw AdvisedError(
                "Another process works on the update.", hint: "checkpost update --status says how far it is.")
        }
    }

    deinit { close(descriptor) }
}

extension UpdateMachine.Step {
    /// `it is on trial`
    var words: String {
        switch self {
        case .preparing: "it is unpacked and tested beside the version that runs"
        case .trial: "it is on trial"
        case .confirmed: "it is well, and is being installed"
        case .returning: "the box goes back"
        case .returned: "the box went back"
        }
    }
}
