import Enforcement
import Foundation
import Storage

@testable import Synchronizer

/// What must hold in the end.
extension Simulation {
    func problems() throws -> [String] {
        var problems: [String] = []
        for post in posts where post.losses > 0 { try post.settleRecorded() }
        let rows = park.rows("vehicle_passages").filter { !ParkServer.isOfFurtherRoad($0) }
        let all = posts.flatMap(\.recorded)
        let refused = Set(all.filter { $0.plate.canonical == refusedPlate }.map { $0.clientID.uuidString.lowercased() })
        let (gone, unclear) = (gone, unclear)
        let wanted = all.map { $0.clientID.uuidString.lowercased() }.filter {
            !refused.contains($0) && !gone.contains($0) && !unclear.contains($0)
        }
        let uncorrected = posts.reduce(into: Set<String>()) {
            $0.formUnion($1.uncorrected.union($1.retold))
        }
        // The row of a text alone has the text's id.
        let texts = try posts.flatMap { try $0.textIDs(of: unclear) }
        let clear = rows.filter {
            let id = "\($0["client_id"] ?? "")"
            // A text doesn't tell what was read before a ranger put it right: it is not known for the picture that was lost.
            let isText = $0["source"] as? String == "sms" && !wanted.contains(id)
            if isText, uncorrected.contains("\($0["plate_number"] ?? "")") { return false }
            return !unclear.contains(id) && !texts.contains(id)
        }
        let there = clear.map { "\($0["client_id"] ?? "")" }
        if there.sorted() != wanted.sorted() {
            let more = clear.filter { !wanted.contains("\($0["client_id"] ?? "")") }
            let less = all.filter { wanted.contains($0.clientID.uuidString.lowercased()) }
                .filter { !there.contains($0.clientID.uuidString.lowercased()) }
            problems.append(
                "\(wanted.count) passages, \(there.count) rows; too many: "
                    + more.map { "\($0["plate_number"] ?? "") \($0["source"] ?? "") \($0["recorded_at"] ?? "")" }
                    .joined(separator: ", ")
                    + "; missing: \(less.map(\.plate.canonical))")
        }
        for post in posts {
            guard restored.isEmpty else { continue }
            let aside = Set(post.steppedAside.map { $0.uuidString.lowercased() }).union(refused).union(gone)
                .union(oftenTried(post)).union(post.aside.map { $0.uuidString.lowercased() })
            let sent = post.recorded.map { $0.clientID.uuidString.lowercased() }.filter { !aside.contains($0) }
            let came = arrivals.filter { $0.post == post.code && !aside.contains($0.clientID) }.map(\.clientID)
            if sent != came {
                problems.append("\(post.code): another order at the server: \(Self.difference(sent, came))")
            }
        }
        for post in posts { problems += try check(post, rows, refused) }
        problems += falseAlerts.map { "a false alert of \($0.plate.canonical), in at \($0.entryTime.iso8601)" }
        problems += try outcomeProblems()
        problems += try peerProblems()
        problems += try outsiderProblems()
        problems += try people?.settled(posts) ?? []
        let untoldPlates = untoldPlates
        let found = park.rows("violations").filter { !untoldPlates.contains("\($0["plate_number"] ?? "")") }.map {
            "\($0["plate_number"] ?? "") \($0["violation_type"] ?? "")"
        }
        if found.sorted() != truth { problems.append("violations \(found.sorted()) instead of \(truth)") }
        return problems
    }

    /// With a direct link each post has what the other has, once, whatever way it came.
    private func peerProblems() throws -> [String] {
        guard peer.isThere, posts.allSatisfy({ $0.clock.error.milliseconds == 0 }), restored.isEmpty else { return [] }
        return try posts.flatMap { post -> [String] in
            let other = posts.first { $0.code != post.code }
            let own = try (other?.store.passages.list(limit: 1000) ?? []).filter { $0.withdrawnAt == nil }
            let lacking = try own.filter {
                try post.store.otherPost.passage(clientID: $0.id)?.plate.compact != $0.passage.plate.compact
            }
            let candidates = try post.store.matches.unmatched(
                .remote, from: SimulatedClock.start, to: post.clock.now)
            let lostPlates = lostPlates
            // A picture that was read once more, and told, before the plate that a ranger had made of it came back from the server.
            let misread = other.map { $0.losses > 0 } == true ? "BA77PA" : "-"
            let strange = Set(
                candidates.filter { !lostPlates.contains($0.plate.compact) && !$0.plate.compact.hasPrefix(misread) }
                    .map(\.clientID)
            )
            .subtracting(own.map(\.id))
            guard !lacking.isEmpty || !strange.isEmpty else { return [] }
            return [
                "\(post.code): over the direct link it lacks \(lacking.map(\.passage.plate.compact)), and has "
                    + "\(candidates.filter { strange.contains($0.clientID) }.map(\.plate.compact)) too many"
            ]
        }
    }

    /// Those whose entry used up its attempts and came back within one turn, so that nobody saw it step aside.
    private func oftenTried(_ post: SimulatedPost) -> Set<String> {
        let tried = post.link.trace.filter { $0.hasPrefix("POST") && $0.contains("/vehicle_passages?") }.flatMap {
            $0.matches(of: /"client_id":"([0-9a-f-]+)"/).map { String($0.1) }
        }
        let counts = Dictionary(tried.map { ($0, 1) }, uniquingKeysWith: +)
        return Set(counts.filter { $0.value > SyncQueue.Settings().maximumAttempts }.keys)
    }

    /// Where two orders part.
    private static func difference(_ one: [String], _ other: [String]) -> String {
        let place = zip(one, other).prefix { $0 == $1 }.count
        let (left, right) = (one.dropFirst(place).prefix(3), other.dropFirst(place).prefix(3))
        return "at \(place) of \(one.count) and \(other.count): \(Array(left)) and \(Array(right))"
    }

    /// What a passage is at a post whose clock is right, at both.
    private var truth: [String] {
        guard posts.allSatisfy({ $0.clock.error.milliseconds == 0 }) else { return [] }
        let untoldPlates = untoldPlates
        return trips.filter { !$0.isHalf && !untoldPlates.contains(Plate(canonical: $0.plate).compact) }
            .flatMap { trip -> [String] in
                // As it stands at the server: the simulation may have been busy when the vehicle came, and a text has whole seconds.
                let plate = Plate(canonical: trip.plate).compact
                let passages = park.rows("vehicle_passages").filter { $0["plate_number"] as? String == plate }
                    .compactMap(ParkServer.passage).sorted { $0.recordedAt < $1.recordedAt }
                guard passages.count == (trip.back == nil ? 2 : 4) else { return [] }
                return stride(from: 0, to: passages.count, by: 2).compactMap { index in
                    let match = Match(passages[index], passages[index + 1], certainty: .exact)
                    return switch SpeedCalculator.check(match, on: Self.segment) {
                    case .lawful: nil
                    case .speeding: "\(plate) speeding"
                    case .overstay: "\(plate) overstay"
                    }
                }
            }.sorted()
    }

    private func check(_ post: SimulatedPost, _ rows: [ParkServer.Row], _ refused: Set<String>) throws -> [String] {
        var problems: [String] = []
        let store = post.store
        let (lostPlates, untoldPlates) = (lostPlates, untoldPlates)
        let entries = try store.queue.entries(limit: 1000)
        for entry in entries {
            // An outcome of what turned out to be no violation has nowhere to go.
            if entry.entity == .outcome, entry.isRefused { continue }
            let plate = try store.passages.passage(clientID: entry.passageClientID)?.passage.plate.compact
            if entry.entity == .outcome, let plate, lostPlates.contains(plate) { continue }
            if gone.contains(entry.passageClientID.uuidString.lowercased()), entry.isRefused { continue }
            let isRefused = refused.contains(entry.passageClientID.uuidString.lowercased())
            let isRight = isRefused ? entry.status == .failed && entry.isRefused : entry.status == .synced
            if !isRight {
                problems.append("\(post.code): entry \(entry.id) is \(entry.status), \(entry.lastError ?? "")")
            }
        }
        for stored in try store.passages.list(limit: 1000) {
            let id = stored.passage.clientID.uuidString.lowercased()
            guard !refused.contains(id), stored.withdrawnAt == nil,
                let row = rows.first(where: { $0["client_id"] as? String == id })
            else {
                continue
            }
            if row["id"] as? String != stored.serverID?.uuidString.lowercased() {
                problems.append("\(post.code): \(stored.passage.plate) has another id at the server")
            }
            if (row["matched_passage_id"] is NSNull) == stored.isMatched,
                !lostPlates.contains(stored.passage.plate.compact)
            {
                problems.append(
                    "\(post.code): \(stored.passage.plate) is matched at one side only: \(stored.matchState?.rawValue ?? "not") here, "
                        + "\(row["matched_passage_id"] ?? "") there, with \(stored.counterpart.map { "\($0.clientID)" } ?? "nobody")"
                )
            }
            let path = "passage-photos/\(row["id"] ?? "").jpg"
            if stored.passage.photoSHA256 != nil,
                stored.photoPath != path || row["photo_path"] as? String != path || park.photos[path] == nil
            {
                let atServer =
                    "\(row["photo_path"] ?? "") there, the file is \(park.photos[path] == nil ? "missing" : "there")"
                problems.append(
                    "\(post.code): \(stored.passage.plate) lacks its photo: \(stored.photoPath ?? "no path") here, \(atServer)"
                )
            }
        }
        let violations = try store.violations.list(limit: 1000).map(\.violation)
            .filter { !untoldPlates.contains($0.plate.compact) }
        let found = violations.map { "\($0.plate.compact) \($0.kind.rawValue) \($0.state.rawValue)" }.sorted()
        let told = truth.map { $0 + " confirmed" }
        if found != told { problems.append("\(post.code): violations \(found) instead of \(told)") }
        if post.link.trace.count > 30_000 { problems.append("\(post.code): \(post.link.trace.count) requests") }
        return problems
    }
}
