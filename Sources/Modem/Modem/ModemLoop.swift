import Glibc

/// The driver's thread: waits for bytes, wishes and deadlines, feeds the machines and performs their actions.
struct ModemLoop {
    private let driver: ModemDriver
    private var modem: GSMModem
    private var channel = ATChannel()
    private var port: SerialPort?
    private var portPath: String?
    private var finder: PortFinder
    private var lastTrouble: String?
    private var events: [GSMModem.Event] = []
    private var isFeeding = false

    /// No wait is longer, whatever the deadlines say.
    private static let longestWait = Duration.seconds(60)
    private static let writeTimeout = Duration.seconds(5)

    init(driver: ModemDriver) {
        self.driver = driver
        finder = PortFinder(source: driver.source, settings: driver.port, memory: driver.portMemory)
        finder.probe = driver.probe
        let memory = driver.pinMemory?.read(pin: driver.settings.pin) ?? .untried
        modem = GSMModem(settings: driver.settings, pinMemory: memory)
    }

    mutating func run() {
        feed(.started)
        while !driver.state.withLock({ $0.mustStop }) {
            wait()
            readPort()
            perform(channel.handle(.clockTicked, at: .now()))
            feed(.clockTicked)
            for text in takeInbox() { feed(.send(text)) }
        }
        perform(channel.handle(.abandoned, at: .now()))
        port?.close()
        port = nil
    }

    private func takeInbox() -> [GSMModem.OutgoingText] {
        driver.state.withLock { state in
            defer { state.inbox = [] }
            return state.inbox
        }
    }

    private func wait() {
        let now = Uptime.now()
        let deadline = [now + Self.longestWait, channel.deadline, modem.deadline].compactMap { $0 }.min() ?? now
        // One millisecond more: a wait that ends early would spin.
        let milliseconds = max(0, (deadline - now).wholeMilliseconds) + 1
        var waiting = [pollfd(fd: driver.wake.readEnd, events: Int16(POLLIN), revents: 0)]
        if let port { waiting.append(pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)) }
        poll(&waiting, nfds_t(waiting.count), Int32(clamping: milliseconds))
        driver.wake.drain()
    }

    private mutating func readPort() {
        guard let port else { return }
        do throws(SerialPortError) {
            let bytes = try port.read()
            if !bytes.isEmpty { perform(channel.handle(.received(bytes), at: .now())) }
        } catch {
            losePort(error)
        }
    }

    private mutating func losePort(_ error: SerialPortError) {
        guard let port else { return }
        port.close()
        self.port = nil
        report(error.description)
        perform(channel.handle(.closed, at: .now()))
        feed(.portClosed)
    }

    /// Feeds an event, and those that its actions lead to after it: every action of an event is performed before the next one.
    private mutating func feed(_ event: GSMModem.Event) {
        events.append(event)
        guard !isFeeding else { return }
        isFeeding = true
        while !events.isEmpty { perform(modem.handle(events.removeFirst(), at: .now())) }
        isFeeding = false
    }

    private mutating func perform(_ actions: [ATChannel.Action]) {
        for action in actions {
            switch action {
            case .write(let bytes): write(bytes)
            case .finished(let response): feed(.answered(response))
            case .unsolicited(let line): feed(.unsolicited(line))
            case .strayPrompt: feed(.strayPrompt)
            }
        }
    }

    private mutating func write(_ bytes: [UInt8]) {
        guard let port else { return }
        do throws(SerialPortError) {
            try port.write(bytes, timeout: Self.writeTimeout)
        } catch {
            losePort(error)
        }
    }

    private mutating func perform(_ actions: [GSMModem.Action]) {
        // Whoever gets a result and looks at the health next must find the one that goes with it.
        for case .health(let health) in actions { driver.state.withLock { $0.health = health } }
        for action in actions {
            switch action {
            case .openPort: openPort()
            case .closePort: closePort()
            case .command(let command): perform(channel.handle(.start(command), at: .now()))
            case .storePINMemory(let memory):
                let isStored = driver.pinMemory?.write(memory, pin: driver.settings.pin) ?? false
                feed(.pinMemoryStored(isStored))
            case .result(let id, let result): driver.settle(id, result)
            case .report(let report): driver.onEvent(.report(report))
            case .message(let message): driver.onEvent(.message(message))
            case .cyclePower: driver.onEvent(.powerCycleWanted)
            case .balance(let text): driver.onEvent(.balance(text))
            case .alarm(let alarm): driver.onEvent(.alarm(alarm))
            case .clear(let alarm): driver.onEvent(.cleared(alarm))
            case .health(let health):
                if health.stage == .ready, let portPath { driver.portMemory?.write(portPath) }
                driver.onEvent(.health(health))
            }
        }
    }

    private mutating func openPort() {
        switch finder.find(while: { !driver.state.withLock { $0.mustStop } }) {
        case .port(let port, let path):
            self.port = port
            portPath = path
            channel = ATChannel()
            lastTrouble = nil
            feed(.portOpened)
        case .none(let failure, let trouble):
            report(trouble)
            feed(.portFailed(failure))
        }
    }

    private mutating func closePort() {
        port?.close()
        port = nil
        // What was under way ended before: the machine closes the port between commands.
        channel = ATChannel()
    }

    private mutating func report(_ trouble: String) {
        guard trouble != lastTrouble else { return }
        lastTrouble = trouble
        driver.onEvent(.portTrouble(trouble))
    }
}
