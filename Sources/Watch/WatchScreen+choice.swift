/// Which row is chosen. It is known by what stands in it: a row that comes or goes moves no choice to another vehicle.
extension WatchScreen {
    /// The ids of the rows that the place lists.
    var ids: [String] {
        switch place {
        case .passages: passages.map(\.id)
        case .found: found.map(\.id)
        case .reviews: reviews.map(\.id)
        case .alerts: alerts.map(\.id)
        case .overstays: overstays.map(\.id)
        case .matches: matches.map(\.id)
        case .outcomes: outcomes.map(\.alert.id)
        case .queue: queue?.dead.map(\.id) ?? []
        default: []
        }
    }

    /// The chosen row's number; nil when there is none.
    var selected: Int? { chosen.flatMap { ids.firstIndex(of: $0) } }

    /// The alert that is shown over everything: it stays until somebody has touched it. Newer ones are counted.
    var shownAlert: Alert? { alerts.first { $0.id == shownAlertID && !$0.isTouched } }

    /// After new rows: what was chosen stays chosen while it is there, else its neighbour is, and a message says so.
    mutating func settle() {
        let ids = ids
        if let chosen, !ids.contains(chosen), !ids.isEmpty, message.isEmpty {
            message = texts["gone"]
        }
        if let index = selected {
            row = index
        } else {
            row = min(row, max(0, ids.count - 1))
            chosen = ids.isEmpty ? nil : ids[row]
        }
        if shownAlert == nil { shownAlertID = alerts.first { !$0.isTouched }?.id }
    }

    /// Moves the choice, if the key does that.
    mutating func moves(_ key: Key) -> Bool {
        switch key {
        case .up, .character("k"): row = max(0, row - 1)
        case .down, .character("j"): row = min(max(0, ids.count - 1), row + 1)
        default: return false
        }
        chosen = ids.isEmpty ? nil : ids[row]
        return true
    }
}
