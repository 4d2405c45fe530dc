/// Opens the modem's port. Where the source names several, each is asked whether a modem answers, the one that was the modem's
/// last time first, and only that one is used: what the others belong to is nobody's business here.
struct PortFinder {
    enum Found {
        case port(SerialPort, path: String)

        /// `trouble` is for people.
        case none(GSMModem.PortFailure, trouble: String)
    }

    let source: PortSource
    let settings: SerialPort.Settings
    let memory: PortMemoryFile?
    var probe = PortProbe()

    /// A round of questions without an answer makes the next one more patient, up to this: a modem may be starting.
    private static let longestPatience = Duration.seconds(4)

    mutating func find(while mayGoOn: () -> Bool) -> Found {
        guard case .anyIn = source else { return open(source.paths()[0]) }
        let known = memory?.read()
        let paths = source.paths(first: known)
        guard !paths.isEmpty else { return .none(.missing, trouble: "no modem is plugged in (\(source))") }
        var trouble: String?
        for path in paths where mayGoOn() {
            do throws(SerialPortError) {
                let port = try SerialPort(path: path, settings: settings)
                if (try? probe.answers(port, while: mayGoOn)) == true { return .port(port, path: path) }
                port.discard()
            } catch {
                trouble = trouble ?? error.description
            }
        }
        probe.patience = min(probe.patience * 2, Self.longestPatience)
        // The port that was the modem's may be told to restart it; what isn't known to be a modem may not.
        if let known, paths.first == known, mayGoOn(), case .port(let port, let path) = open(known) {
            return .port(port, path: path)
        }
        if let trouble { return .none(.unusable, trouble: trouble) }
        return .none(.silent, trouble: "no modem answers at \(paths.joined(separator: ", "))")
    }

    private func open(_ path: String) -> Found {
        do throws(SerialPortError) {
            return .port(try SerialPort(path: path, settings: settings), path: path)
        } catch {
            if case .missing = error { return .none(.missing, trouble: error.description) }
            return .none(.unusable, trouble: error.description)
        }
    }
}
