import Enforcement
import Foundation
import Logging
import ServiceLifecycle
import Storage

/// Listens to a loop detector or a radar, on a thread of its own: nothing else waits for a serial line.
///
/// Returns after a graceful shutdown.
struct TriggerService: Service {
    private let trigger: Configuration.Trigger
    private let configuration: Configuration
    private let store: Store
    private let alarms: AlarmBoard
    private let desk: PartDesk
    private let log: Logger

    init(
        _ trigger: Configuration.Trigger, _ configuration: Configuration, store: Store, alarms: AlarmBoard,
        desk: PartDesk, log: Logger
    ) {
        (self.trigger, self.configuration, self.store) = (trigger, configuration, store)
        (self.alarms, self.desk, self.log) = (alarms, desk, log)
    }

    func run() async throws {
        let known = try store.trigger.last()
        await OwnThread.run("trigger") { goesOn in
            var loop = TriggerLoop(
                trigger, configuration, known: known, store: store, alarms: alarms, desk: desk, log: log)
            loop.run(while: goesOn)
        }
    }
}
