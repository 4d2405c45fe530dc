import Enforcement
import HTTPClient

/// Writes down what went over the link, and tells what a month has used so far.
final class DataLedger {
    private let context: SyncContext
    private let meter: DataMeter

    /// - Parameter meter: that of the transport.
    init(_ context: SyncContext, _ meter: DataMeter) {
        self.context = context
        self.meter = meter
    }

    func write() throws {
        let use = meter.take()
        do {
            try context.store.dataUse.add(use, at: context.clock.now)
        } catch {
            meter.putBack(use)
            throw error
        }
    }

    /// In this month, with what was sent a moment ago.
    func used() throws -> DataUse {
        try write()
        return try context.store.dataUse.use(ofMonth: DataUse.month(of: context.clock.now))
    }
}
