import Glibc

/// Why a serial port can't be used.
package enum SerialPortError: Error, Hashable, Sendable {
    case missing(path: String)
    case inUse(path: String, processID: Int32?)
    case notPermitted(path: String)
    case notATerminal(path: String)
    case unsupportedSpeed(Int)

    /// Unplugged, or its driver gave up.
    case hungUp

    /// The other side takes no bytes: flow control holds them back.
    case writeTimedOut
    case failed(call: String, code: Int32)
}

extension SerialPortError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path): "\(path) is not there; plug the device in, or correct the port in the configuration"
        case .inUse(let path, let processID):
            "\(path) is in use by \(processID.map { "process \($0)" } ?? "another program"); stop it"
        case .notPermitted(let path):
            "\(path) may not be opened; add the service's user to the group of the device (dialout)"
        case .notATerminal(let path): "\(path) is no serial port; correct the port in the configuration"
        case .unsupportedSpeed(let speed): "\(speed) baud is no speed of a serial port; use 115200 or 9600"
        case .hungUp: "the port is gone; was it unplugged?"
        case .writeTimedOut: "what is at the port takes no data; turn hardware flow control off, or restart it"
        case .failed(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        }
    }
}
