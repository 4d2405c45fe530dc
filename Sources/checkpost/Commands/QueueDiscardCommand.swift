import ArgumentParser
import Enforcement
import Foundation
import Storage

struct QueueDiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Put away what the server refuses for good, so that nothing warns of it.",
        discussion: """
            For an outcome, a dismissal or a correction that lost to another's word. Nothing is deleted: what was recorded stays \
            on record here, `queue list --failed` shows it as set aside, and `queue retry ID` sends it after all. A passage that \
            the server refuses is evidence that it lacks: putting one away takes --passages.

            Example: checkpost queue discard 17
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "Their numbers, as `queue list` shows them.")
    var ids: [Int64]

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Passages too.")
    var passages = false

    func run() throws {
        let database = try store.openStore()
        let entries = try ids.map { id in
            guard let entry = try database.queue.entry(id: id) else {
                throw AdvisedError("There is no queue entry \(id).", hint: "`checkpost queue list` lists them.")
            }
            guard entry.isRefused else {
                throw AdvisedError(
                    "The server doesn't refuse \(id): it is \(entry.status.rawValue).",
                    hint: "Only what it refuses can be put away; `checkpost queue show \(id)` says how it stands.")
            }
            guard entry.entity != .passage || passages else {
                throw AdvisedError(
                    "\(id) is a passage, and the server doesn't have it.",
                    hint: "Mend the cause and run `checkpost queue retry \(id)`; or add --passages.")
            }
            return entry
        }
        for entry in entries where try yes || isWanted(entry) {
            let isNew = try database.queue.setAside(entry: entry.id)
            print(isNew ? "\(entry.id) is put away." : "\(entry.id) was put away before.")
        }
    }

    private func isWanted(_ entry: QueueEntry) throws -> Bool {
        print("\(entry.id), \(entry.entity.rawValue): \(entry.lastError ?? "refused")")
        return try ConsentOptions.asks("Put it away? It stays on record here and not at the server.")
    }
}
