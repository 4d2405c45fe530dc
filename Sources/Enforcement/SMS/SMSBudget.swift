/// Counts messages in a sliding hour and a sliding day.
///
/// Prepaid SIMs run dry and networks bar those who send floods: both would cost the passages that follow.
struct SMSBudget: Sendable {
    let hourlyLimit: Int
    let dailyLimit: Int

    /// Hand-overs of the last day, oldest first; never more than the daily limit and one.
    private var sentAt: [Instant] = []

    init(hourlyLimit: Int, dailyLimit: Int) {
        self.hourlyLimit = max(1, hourlyLimit)
        self.dailyLimit = max(1, dailyLimit)
    }

    mutating func restore(_ moments: [Instant], at now: Instant) {
        sentAt = Array(counted(moments, at: now).sorted().suffix(dailyLimit))
    }

    mutating func spend(at now: Instant) {
        sentAt = counted(sentAt, at: now) + [now]
    }

    /// Takes the last one back: nothing went out.
    mutating func refund() {
        _ = sentAt.popLast()
    }

    func sentInDay(at now: Instant) -> Int {
        counted(sentAt, at: now).count
    }

    /// When the next message is allowed, or nil when one is allowed now.
    func opensAt(_ now: Instant) -> Instant? {
        let windows = [
            opening(limit: hourlyLimit, window: .hours(1), at: now),
            opening(limit: dailyLimit, window: .hours(24), at: now),
        ]
        return windows.compactMap { $0 }.max()
    }

    /// With `limit` messages in the window, the next is allowed when the oldest of the last `limit` leaves it.
    private func opening(limit: Int, window: TimeSpan, at now: Instant) -> Instant? {
        let moments = counted(sentAt, at: now)
        guard moments.count >= limit else { return nil }
        let moment = moments[moments.count - limit] + window
        return moment > now ? moment : nil
    }

    /// The moments of the last 24 hours. Later ones than now come from a clock that was wrong, and would shut the
    /// budget until that time comes.
    private func counted(_ moments: [Instant], at now: Instant) -> [Instant] {
        moments.filter { $0 <= now && $0 > now - .hours(24) }
    }
}
