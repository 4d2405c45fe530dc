import Enforcement
import Foundation
import Storage

/// Whether this machine is the one that the records belong to. Two that say they are the same box would each send what the other
/// doesn't know, under one account.
package struct BoxMachine {
    private let store: Store
    private let machine: MachineIdentity

    package init(_ store: Store) {
        self.init(store, machine: .read())
    }

    init(_ store: Store, machine: MachineIdentity) {
        self.store = store
        self.machine = machine
    }

    /// Puts a machine on record that may be: the first one, or one of which a part was changed.
    ///
    /// - Returns: why nothing may be sent from here; nil when it is the box.
    /// - Throws: `StoreError`.
    package func obstacle() throws -> AdvisedError? {
        switch machine.standing(to: try store.machine.recorded()) {
        case .known: return nil
        case .changed:
            try store.machine.record(machine)
            return nil
        case .other:
            return AdvisedError(
                "These records come from another machine, and nothing is sent from this one: the other may be at work still.",
                hint: "If this is the box now, and the other is out of use: checkpost sync --adopt")
        }
    }

    /// This machine is the box from now on.
    package func adopt() throws { try store.machine.adopt(machine, at: BoxClock.now) }
}

extension MachineIdentity {
    /// Reads what this machine is known by. Where it has nothing of its own, as in a container, the installation's id has to do.
    ///
    /// - Parameter root: the folder that stands for `/`.
    static func read(root: String = "") -> MachineIdentity {
        func word(_ path: String) -> String? {
            let text = FileManager.default.contents(atPath: root + path).map { String(decoding: $0, as: UTF8.self) }
            let word = text?.trimmingCharacters(in: .whitespacesAndNewlines.union(["\0"])).lowercased() ?? ""
            return word.isEmpty || word.allSatisfy { $0 == "0" || $0 == ":" } ? nil : word
        }
        var traits: Set<String> = []
        if let serial = word("/sys/firmware/devicetree/base/serial-number") { traits.insert("serial:" + serial) }
        let interfaces = (try? FileManager.default.contentsOfDirectory(atPath: root + "/sys/class/net")) ?? []
        for name in interfaces {
            let folder = "/sys/class/net/" + name
            // Real ones, with an address that they were made with and don't draw at each start.
            guard FileManager.default.fileExists(atPath: root + folder + "/device"),
                word(folder + "/addr_assign_type") == nil, let address = word(folder + "/address")
            else { continue }
            traits.insert("mac:" + address)
        }
        if traits.isEmpty, let id = word("/etc/machine-id") { traits.insert("installation:" + id) }
        return MachineIdentity(traits: traits)
    }
}
