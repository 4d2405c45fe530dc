import Enforcement
import Foundation
import Logging
import Storage
import Synchronization

/// Sends receipts to a printer behind a device file, one after the other. Nobody waits for it: whoever asks is told at once that it is in
/// line, and what became of it stands on the page and, where it failed, as an alarm.
final class ReceiptPrinter: Sendable {
    /// What became of the last receipt.
    enum News: Sendable, Equatable {
        case none
        case printing
        case printed(at: Instant)
        case failed(at: Instant)
    }

    typealias Making = @Sendable () async throws -> [UInt8]

    private struct State {
        var waiting: [Making] = []
        var isBusy = false
        var news = News.none
    }

    static let mostWaiting = 5
    static let alarmKey = "printer"

    private let device: PrinterDevice
    private let store: Store
    private let log: Logger
    private let clock: @Sendable () -> Instant
    private let state = Mutex(State())

    init(path: String, store: Store, log: Logger, clock: @escaping @Sendable () -> Instant) {
        device = PrinterDevice(path: path)
        self.store = store
        self.log = log
        self.clock = clock
    }

    var news: News { state.withLock { $0.news } }

    /// - Returns: whether it is in line; not when several wait already.
    func print(_ receipt: @escaping Making) -> Bool {
        let (isTaken, begins) = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return (false, false) }
            state.waiting.append(receipt)
            state.news = .printing
            defer { state.isBusy = true }
            return (true, !state.isBusy)
        }
        if begins { Task.detached { await self.work() } }
        return isTaken
    }

    private func work() async {
        var hasFailed = false
        while let receipt = next() {
            do {
                try await device.send(try await receipt(), afterFailure: hasFailed)
                hasFailed = false
            } catch {
                hasFailed = true
                log.error("a receipt can't be printed", metadata: ["error": "\(error)"])
                note {
                    try $0.raise(Self.alarmKey, .warning, "The receipt printer: \(error)", hint: Self.hint, at: clock())
                }
            }
            if !hasFailed { note { try $0.clear(Self.alarmKey, at: clock()) } }
            let news: News = hasFailed ? .failed(at: clock()) : .printed(at: clock())
            state.withLock { $0.news = $0.waiting.isEmpty ? news : .printing }
        }
    }

    private func next() -> Making? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func note(_ change: (AlarmTable) throws -> Bool) {
        do {
            _ = try change(store.alarms)
        } catch {
            log.warning("an alarm of the printer can't be written", metadata: ["error": "\(error)"])
        }
    }

    private static let hint =
        "Look at its paper, its cover and its cable, switch it off and on, and print again. [console] printer names its device."
}
