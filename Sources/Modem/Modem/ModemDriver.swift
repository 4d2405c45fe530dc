import Foundation
import Glibc
import Synchronization

/// What the modem has to tell, in order.
package enum ModemEvent: Hashable, Sendable {
    case health(ModemHealth)
    case report(StatusReport)

    /// Somebody's message arrived, and is being deleted from the modem.
    case message(InboundText)

    /// What the operator says of the SIM's balance, as it says it.
    case balance(String)

    /// The modem's power is to be taken away for some seconds.
    case powerCycleWanted

    case alarm(ModemAlarm)
    case cleared(ModemAlarm)

    /// A result that came after ``SendResult/ambiguous`` for the same text: it went out after all.
    case lateResult(id: UInt64, SendResult)

    /// The port, with the reason, whenever opening it fails for a new reason or it is lost.
    case portTrouble(String)
}

/// Runs a ``GSMModem`` over a serial port, on a thread of its own: nothing else ever waits for a modem.
///
/// ```
/// let driver = ModemDriver(source: .path("/dev/serial/by-id/…"), settings: settings) { event in … }
/// driver.start()
/// let result = await driver.send(to: number, text: "V1|…").result
/// driver.stop()
/// ```
/// The event handler runs on the driver's thread and must return soon.
package final class ModemDriver: Sendable {
    package struct Sent: Hashable, Sendable {
        /// Names the text in a later ``ModemEvent/lateResult(id:_:)``.
        package var id: UInt64
        package var result: SendResult

        package init(id: UInt64, result: SendResult) {
            self.id = id
            self.result = result
        }
    }

    struct State {
        var isRunning = false
        var mustStop = false
        var nextID: UInt64 = 0
        var inbox: [GSMModem.OutgoingText] = []
        var waiting: [UInt64: CheckedContinuation<SendResult, Never>] = [:]
        var health = ModemHealth()
    }

    let state = Mutex(State())
    let wake: WakePipe
    let finished = DispatchSemaphore(value: 0)
    let source: PortSource
    let port: SerialPort.Settings
    let settings: GSMModem.Settings
    let pinMemory: PINMemoryFile?
    let portMemory: PortMemoryFile?
    let probe: PortProbe
    let onEvent: @Sendable (ModemEvent) -> Void

    /// - Parameters:
    ///   - pinMemory: nil: the PIN is never entered, since an attempt could not be written down.
    ///   - portMemory: where the modem's port is remembered, if the source names several.
    package init(
        source: PortSource, port: SerialPort.Settings = .init(), settings: GSMModem.Settings = .init(),
        pinMemory: PINMemoryFile? = nil, portMemory: PortMemoryFile? = nil, probe: PortProbe = .init(),
        onEvent: @escaping @Sendable (ModemEvent) -> Void
    ) throws(SerialPortError) {
        self.source = source
        self.port = port
        self.settings = settings
        self.pinMemory = pinMemory
        if case .anyIn = source { self.portMemory = portMemory } else { self.portMemory = nil }
        self.probe = probe
        self.onEvent = onEvent
        wake = try WakePipe()
    }

    package var health: ModemHealth { state.withLock { $0.health } }

    /// Starts the thread. A second call does nothing, nor does one after ``stop()``.
    package func start() {
        let isFirst = state.withLock { state in
            guard !state.isRunning, !state.mustStop else { return false }
            state.isRunning = true
            return true
        }
        guard isFirst else { return }
        let thread = Thread { [self] in
            var loop = ModemLoop(driver: self)
            loop.run()
            refuseAll()
            finished.signal()
        }
        thread.name = "modem"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Ends the thread and closes the port; returns when both are done. A text that the modem already has is ambiguous.
    ///
    /// Blocks for the time of one write to the port at most.
    package func stop() {
        let wasRunning = state.withLock { state in
            defer {
                state.mustStop = true
                state.isRunning = false
            }
            return state.isRunning
        }
        guard wasRunning else { return }
        wake.signal()
        finished.wait()
    }

    /// Sends a text and waits for what becomes of it, at most for the modem's time-outs (about two minutes).
    ///
    /// A text under way can't be called back, so that cancelling the task doesn't end the wait. One text at a time: a second
    /// one is refused as not ready.
    package func send(to number: PhoneNumber, text: String) async -> Sent {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let result = await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                guard state.isRunning, state.inbox.count < 16 else { return false }
                state.waiting[id] = continuation
                state.inbox.append(GSMModem.OutgoingText(id: id, number: number, text: text))
                return true
            }
            if isTaken { wake.signal() } else { continuation.resume(returning: .refused(.driverStopped)) }
        }
        return Sent(id: id, result: result)
    }

    /// Hands a result to whoever waits for it; nobody does when it comes late.
    func settle(_ id: UInt64, _ result: SendResult) {
        let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
        if let continuation {
            continuation.resume(returning: result)
        } else {
            onEvent(.lateResult(id: id, result))
        }
    }

    private func refuseAll() {
        // The loop is over, and a stopping driver takes none: nothing else settles these.
        for continuation in state.withLock({ $0.waiting }).values {
            continuation.resume(returning: .refused(.driverStopped))
        }
    }
}
