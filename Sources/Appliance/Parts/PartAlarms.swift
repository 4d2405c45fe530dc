import Enforcement

/// Takes the supervisor's alarms over into the database, where the console shows them and their history is kept.
///
/// The supervisor has no database itself: one that is held, full or damaged must not keep it from its work.
struct PartAlarms {
    private let alarms: AlarmBoard
    private let folder: RunFolder
    private var told: [SupervisorNews.Alarm]?

    init(alarms: AlarmBoard, folder: RunFolder) {
        self.alarms = alarms
        self.folder = folder
    }

    /// Looks once. Nothing is written while nothing has changed.
    mutating func follow() {
        guard let news = SupervisorNews.read(in: folder), news.alarms != told else { return }
        let keys = Set(news.alarms.map(\.key))
        let store = alarms.store
        do {
            for key in try store.alarms.list().map(\.key)
            where key.hasPrefix(SupervisorNews.Alarm.prefix) && !keys.contains(key) {
                try store.alarms.clear(key, at: BoxClock.now)
            }
            for alarm in news.alarms where !(told ?? []).contains(alarm) {
                try store.alarms.raise(
                    alarm.key, alarm.isCritical ? .critical : .warning, alarm.message, hint: alarm.hint,
                    at: BoxClock.now)
            }
            told = news.alarms
        } catch {
            // It stands in the supervisor's log and in its news already; the next look writes it down.
        }
    }
}
