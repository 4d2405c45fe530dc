/// What goes along in a text that takes several passages.
extension EscalationPolicy {
    /// More than fit into one message.
    private static let mostCompanions = 20

    /// The entries that may go along with one that goes out now, in the order in which they would go themselves. Those that are due come
    /// before those that will be: a message costs the same with and without them.
    func company(of leader: Entry, at now: Instant) -> [Int64] {
        // What may have gone out already is repeated word for word.
        guard settings.gathers, leader.lostAnswers == 0, !suspects.contains(leader.id) else { return [] }
        let able = (takesNewestFirst ? entries.reversed() : entries).filter { mayGoAlong($0) }
        let due = able.filter { isDue($0, at: now) }
        let early = able.filter { !isDue($0, at: now) && mayGoEarly($0, at: now) }
        return (due + early).prefix(Self.mostCompanions).map(\.id)
    }

    private func mayGoAlong(_ entry: Entry) -> Bool {
        (entry.message ?? .queued) == .queued && entry.lostAnswers == 0 && !suspects.contains(entry.id)
    }

    private func isDue(_ entry: Entry, at now: Instant) -> Bool {
        dueTime(of: entry, at: now).map { $0 <= now } ?? false
    }

    /// The outage has lasted; only the entry is younger than it would have to be alone.
    private func mayGoEarly(_ entry: Entry, at now: Instant) -> Bool {
        guard entry.standing == .pending, let offlineSince, now - offlineSince >= settings.outageBeforeSMS,
            dueTime(of: entry, at: now) != nil
        else { return false }
        return now - (seenAt[entry.id] ?? entry.createdAt) >= settings.companionAge
    }
}
