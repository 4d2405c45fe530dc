import Modem
import Synchronization

/// How the modem is, as its thread says it and the figures read it.
package final class SharedHealth: Sendable {
    private let health = Mutex<ModemHealth?>(nil)

    package init() {}

    package var now: ModemHealth? {
        get { health.withLock { $0 } }
        set { health.withLock { $0 = newValue } }
    }
}
