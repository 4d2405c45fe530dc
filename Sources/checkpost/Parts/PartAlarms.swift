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
        let known = (try? alarms.store.alarms().map(\.key)) ?? []
        for key in known where key.hasPrefix(SupervisorNews.Alarm.prefix) && !keys.contains(key) { alarms.clear(key) }
        for alarm in news.alarms where !(told ?? []).contains(alarm) {
            // It stands in the supervisor's log already.
            _ = try? alarms.store.raiseAlarm(
                alarm.key, alarm.isCritical ? .critical : .warning, alarm.message, hint: alarm.hint, at: BoxClock.now)
        }
        told = news.alarms
    }
}
