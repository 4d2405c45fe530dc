/// What a ranger does with plates that look alike, with outcomes, and with what waits for the server.
extension WatchScreen {
    /// `2` says that two plates are two vehicles, `1` that they are one; both ask first.
    mutating func handleMatches(_ key: Key) -> [Request] {
        message = ""
        if moves(key) { return [] }
        switch key {
        case .escape, .character("q"): go(.passages)
        case .character("u"):
            guard let id = lastRejected else {
                message = texts["nothing_judged"]
                return []
            }
            lastRejected = nil
            return [.restoreMatch(id)]
        case .character("2"): if let selected { go(.rejecting(matches[selected])) }
        case .character("1"): if let selected { go(.accepting(matches[selected])) }
        default: break
        }
        return []
    }

    mutating func handleOutcomes(_ key: Key) -> [Request] {
        message = ""
        if moves(key) { return [] }
        switch key {
        case .escape, .character("q"): go(.passages)
        case .enter:
            guard let selected else { return [] }
            guard !outcomes[selected].isClosed else {
                message = texts["is_closed"]
                return []
            }
            go(.outcome(Judged(outcomes[selected], texts)))
        default: break
        }
        return []
    }

    mutating func handleOutcome(_ key: Key, _ judged: Judged) -> [Request] {
        guard judged.alert.violationID != nil, key != .escape else {
            go(judged.holds == nil ? .alerts : .outcomes)
            return []
        }
        guard case .character(let character) = key,
            let kind = Self.outcomes.first(where: { $0.0 == String(character) })?.1
        else { return [] }
        if kind == "fined" {
            go(.fine(judged), typed: judged.fine)
        } else {
            go(.notes(judged, kind: kind, fine: ""), typed: judged.notes)
        }
        return []
    }

    mutating func handleQueue(_ key: Key) -> [Request] {
        message = ""
        if moves(key) { return [] }
        switch key {
        case .escape, .character("q"): go(.passages)
        case .character("y"), .character("t"), .character("T"):
            guard isTechnician else {
                message = texts["for_technicians"]
                return []
            }
            if key == .character("y") { return [.synchronise] }
            if key == .character("T") { return [.retry(entry: nil)] }
            if let chosen { return [.retry(entry: chosen)] }
        default: break
        }
        return []
    }
}
