import Appliance
import ArgumentParser
import Enforcement
import Storage

struct PassagesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one passage whole: its picture, its match, and what was changed about it.")

    @OptionGroup var passage: PassageOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Change: Encodable {
        let kind: String
        let oldPlate: String
        let newPlate: String?
        let reason: String
        let by: String
        let at: String

        enum CodingKeys: String, CodingKey {
            case kind
            case oldPlate = "old_plate"
            case newPlate = "new_plate"
            case reason, by, at
        }
    }

    private struct Report: Encodable {
        let passage: ListedPassage
        let picture: String?
        let changes: [Change]
    }

    func run() throws {
        let store = try passage.store.openStore()
        let stored = try passage.passage(in: store)
        let changes = try store.passages.corrections(ofPassage: stored.id)
        let picture = try stored.passage.photoSHA256.flatMap { try store.photos.record(sha256: $0)?.path }
        let former = try store.clock.formerTime(ofPassage: stored.id)
        guard json else { return print(text(stored, changes, former, picture: picture)) }
        try Output.printJSON(
            Report(
                passage: ListedPassage(stored), picture: picture,
                changes: changes.map {
                    Change(
                        kind: $0.kind.rawValue, oldPlate: $0.oldPlate.canonical, newPlate: $0.newPlate?.canonical,
                        reason: $0.reason, by: $0.actor, at: $0.at.iso8601)
                }))
    }

    private func text(
        _ stored: StoredPassage, _ changes: [PassageCorrection], _ former: FormerTime?, picture: String?
    ) -> String {
        let passage = stored.passage
        var table = TextTable([("", .left), ("", .left)])
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { table.add([name, value]) } }
        add("plate", passage.plate.canonical + (stored.withdrawnAt == nil ? "" : " (withdrawn)"))
        add("read as", passage.plateRaw)
        add("sure", passage.confidence.map { Output.decimal($0, 2) })
        add("type", passage.vehicleType.rawValue)
        add("recorded", "\(passage.recordedAt.nepalText) in Nepal, at \(passage.checkpostCode)")
        add("clock", passage.clockState.rawValue + (passage.stampedBy == nil ? "" : ", waits for the right time"))
        add(
            "first time",
            former.map { "\($0.recordedAt.nepalText), put right by the \($0.knownBy.text) when that was known" })
        add("travel", passage.travel?.rawValue)
        add("speed here", stored.speedAtPostKmh.map { "\(Output.decimal($0)) km/h" })
        add("origin", passage.origin.rawValue + (passage.actedBy.map { ", by \($0)" } ?? ""))
        add("picture", picture ?? "none")
        add(
            "other end",
            stored.counterpart.map { "\($0.checkpostCode), \($0.recordedAt.nepalText)" }
                ?? (stored.isMatched ? "matched at the server" : "no match"))
        add("violation", stored.violation?.kind.rawValue)
        add("sync", stored.queueStatus?.rawValue)
        for change in changes {
            add(
                change.kind.rawValue,
                "\(change.at.nepalText), was \(change.oldPlate.canonical), by \(change.actor): \(change.reason)")
        }
        add("id", passage.clientID.uuidString.lowercased())
        return table.body
    }
}
