import Enforcement
import Storage

extension Simulation {
    /// Whether an alert accuses a vehicle that had passed the other post in time, without a doubt. What was misread there, refused, or lost
    /// by the server is another matter.
    func isFalse(_ alert: OverstayAlert, at code: String) -> Bool {
        alertCount += 1
        guard !alert.isDoubtful else { return false }
        if passedUnseen(alert, at: code) { return true }
        guard restored.isEmpty, alert.plate.canonical != refusedPlate, !isOfLostEntry(alert, at: code),
            !trips.contains(where: { $0.correctedAfter != nil && $0.plate == alert.plate.canonical })
        else { return false }
        return posts.filter { $0.code != code }.flatMap { post in
            post.recorded.filter { passage in
                !post.withdrawn.contains(passage.clientID)
                    && !deleted.contains { $0.clientID == passage.clientID.uuidString.lowercased() }
            }
        }.contains {
            $0.plate.compact == alert.plate.compact && $0.clockState.isTrusted && $0.recordedAt > alert.entryTime
                && $0.recordedAt <= alert.expectedExitBy
        }
    }

    /// Where nobody has its entry any longer, its exit looks like one. That of a lawful drive is doubtful.
    private func isOfLostEntry(_ alert: OverstayAlert, at code: String) -> Bool {
        let longest = alert.expectedExitBy - alert.entryTime
        return posts.filter { $0.code != code }.flatMap(\.missing).contains {
            $0.plates.contains(alert.plate.compact) && $0.recordedAt < alert.entryTime - longest
        }
    }
}
