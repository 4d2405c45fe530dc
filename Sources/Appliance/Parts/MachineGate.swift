import Enforcement
import Logging
import Storage

/// Holds back a part that sends while the records come from another machine, until a technician has said which is the box.
struct MachineGate {
    private let store: Store
    private let desk: PartDesk
    private let alarms: AlarmBoard
    private let log: Logger

    private static let alarm = "machine"
    private static let interval = Duration.seconds(2)

    init(_ store: Store, desk: PartDesk, log: Logger) {
        self.store = store
        self.desk = desk
        self.log = log
        alarms = AlarmBoard(store: store, log: log)
    }

    /// Returns at once on the machine that the records belong to.
    func pass() async throws {
        while true {
            do {
                guard let obstacle = try BoxMachine(store).obstacle() else { return alarms.clear(Self.alarm) }
                alarms.raise(Self.alarm, .critical, obstacle.message, hint: obstacle.hint)
            } catch {
                log.error("the machine can't be looked up; it is tried again", metadata: ["error": "\(error)"])
            }
            desk.beat(PartNews())
            try await Task.sleep(for: Self.interval)
        }
    }
}
