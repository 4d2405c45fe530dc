import Enforcement
import Foundation
import GRDB

extension EvidenceTable {
    /// What is wrong with the key, and what was done about it.
    package enum KeyFinding: Sendable, Equatable {
        case sound
        /// A key was made where there was none before.
        case made(String)
        /// The key was lost. Another one was made, and a new chain says so.
        case lost(String, new: String)
        /// Entries wait for it.
        case unreadable(String, reason: String)
    }

    package var keys: EvidenceKeys { store.evidenceKeys }

    /// The public part of the key in force; nil before there is one.
    package func currentKey() throws -> String? {
        try read("Reading the key of the evidence") { try Chain.current($0)?.key } ?? keys.all().first
    }

    /// Makes sure that there is a key, and signs what waits.
    ///
    /// - Throws: `StoreError` when no key can be made: entries are written all the same, and wait.
    @discardableResult
    package func lookAfterKey(at now: Instant) throws -> KeyFinding {
        let chain = try read("Reading the evidence chain") { try Chain.current($0) }
        var finding = KeyFinding.sound
        if let key = chain?.key {
            switch keys.standing(of: key) {
            case .here: break
            case .unreadable(let reason): return .unreadable(key, reason: reason)
            case .absent:
                let new = try keys.make()
                try write("Beginning a new evidence chain") { try Self.replaceLost(key, by: new, $0, at: now) }
                finding = .lost(key, new: new)
            }
        } else {
            let known = keys.all().first { keys.standing(of: $0) == .here }
            let key = try known ?? keys.make()
            if known == nil { finding = .made(key) }
            try write("Naming the key of the evidence") { db in
                guard let chain = try Chain.current(db) else { return try Self.beginLater(db, with: key) }
                if chain.key == nil { try Self.write(db, .key(key), to: chain, at: now) }
            }
        }
        while try signWaiting() > 0 {}
        return finding
    }

    private static func replaceLost(_ lost: String, by new: String, _ db: Database, at now: Instant) throws {
        guard let chain = try Chain.current(db), chain.key == lost else { return }
        // What was not signed with it never will be. The new chain names the end of this one, and vouches for it.
        try db.execute(
            cached: "UPDATE evidence_entries SET signature = x'' WHERE signature IS NULL AND chain = ?",
            arguments: [chain.id.stored])
        try begin(db, at: chain.checkpost, because: .keyLost, after: chain.head, key: new, at: now)
    }

    /// Signs some of the entries that wait, in order.
    ///
    /// - Returns: how many; none where there are none, or their key isn't at hand.
    package func signWaiting() throws -> Int {
        try write("Signing evidence") { try Self.sign($0, with: keys, limit: 200) }
    }

    /// How many entries wait for their key.
    package func unsignedCount() throws -> Int {
        try read("Counting evidence") { db in
            try Int.fetchOne(db, cached: "SELECT count(*) FROM evidence_entries WHERE signature IS NULL") ?? 0
        }
    }

    /// Signs with a new key from now on: an entry that the old one signs names it.
    ///
    /// - Returns: the new key's public part.
    /// - Throws: `StoreError` of kind `refused` when the old key isn't at hand, or there is no chain yet.
    package func changeKey(at now: Instant) throws -> String {
        guard let chain = try read("Reading the evidence chain", { try Chain.current($0) }), let old = chain.key else {
            throw StoreError(.refused, "There is no chain of evidence yet: its key has signed nothing.")
        }
        guard keys.standing(of: old) == .here else {
            throw StoreError(
                .refused, "The key \(old) can't be read, and what it has not signed would never be.",
                hint: "Start the appliance: it makes another key where one is lost, and the chain says so.")
        }
        while try signWaiting() > 0 {}
        let new = try keys.make()
        try write("Changing the key of the evidence") { db in
            guard let chain = try Chain.current(db), chain.key == old else {
                throw StoreError(.refused, "The key of the evidence was changed by somebody else at this moment.")
            }
            try Self.write(db, .key(new), to: chain, at: now)
            while try Self.sign(db, with: keys) > 0 {}
        }
        if try unsignedCount() == 0 { keys.remove(old) }
        return new
    }
}
