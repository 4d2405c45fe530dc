import Enforcement
import Foundation
import Logging
import Storage

/// Looks after the key that signs the evidence, and what waits for it. What goes wrong here never keeps a passage from being recorded.
struct EvidenceKeeper {
    let store: Store
    let alarms: AlarmBoard
    let log: Logger

    private static let keyAlarm = "evidence.key"
    private static let lostAlarm = "evidence.lost"

    func look(at now: Instant) {
        do {
            switch try store.evidence.lookAfterKey(at: now) {
            case .sound: alarms.clear(Self.keyAlarm)
            case .made(let key):
                log.notice("a key for the evidence was made", metadata: ["key": "\(key)"])
                alarms.clear(Self.keyAlarm)
            case .lost(let key, let new):
                alarms.clear(Self.keyAlarm)
                alarms.raise(
                    Self.lostAlarm, .critical,
                    "The key \(key.prefix(16)) that signed the evidence of this box is gone. A new chain was begun with the key "
                        + "\(new.prefix(16)), and says so.",
                    hint:
                        "If the disk was changed, or the box set up anew, all is well. If not, find out who removed it, and tell the "
                        + "warden from when on the new key counts.")
            case .unreadable(let key, let reason):
                alarms.raise(
                    Self.keyAlarm, .warning,
                    "The key \(key.prefix(16)) that signs the evidence can't be read: \(reason). \(waiting()) for it.",
                    hint:
                        "Passages are recorded all the same. Give \(store.evidence.keys.folder.path) to the box's user."
                )
            }
            try store.evidence.removeOld()
        } catch {
            alarms.raise(
                Self.keyAlarm, .warning,
                "Nothing can be signed as evidence: \(String(sentence: error)) \(waiting()) for a key.",
                hint: "Passages are recorded all the same, and are signed in their order once the disk can be written.")
        }
    }

    private func waiting() -> String {
        let count = (try? store.evidence.unsignedCount()) ?? 0
        return "\(Wording.count(count, "entry waits", "entries wait"))"
    }
}
