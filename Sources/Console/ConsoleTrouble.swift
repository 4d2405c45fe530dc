import Foundation
import Pages

/// Why the page can't be reached, for whoever looks after the box.
struct ConsoleTrouble: Equatable {
    static let key = "console"
    static let mend = "Mend [console] in checkpost.toml, then: systemctl restart checkpost."

    var message: String
    var hint: String

    init(message: String, hint: String) {
        self.message = "The ranger's page is not served: " + message
        self.hint = hint
    }

    init(_ error: any Error, _ configuration: ConsoleConfiguration) {
        let place = "\(configuration.address):\(configuration.port)"
        let fault = ListeningFault(error)
        if let file = configuration.unreadableFile {
            self.init(
                message: "\(file) can't be read.",
                hint: "Put it there, readable for the service's user. It is tried again every 10 s.")
            return
        }
        switch fault {
        case .taken:
            self.init(
                message: fault.words(at: place) + ".",
                hint: "`ss -ltnp` names it. Stop it, or give [console] another port. It is tried again every 10 s.")
        case .notHere:
            self.init(
                message: fault.words(at: place) + ".",
                hint:
                    "Give [console] an address of this machine, and a port from 1024 on. It is tried again every 10 s.")
        case .other where configuration.hasTLS:
            self.init(
                message: "the certificate or its key can't be used (\(error)).",
                hint: "Both are to be PEM, and belong together. It is tried again every 10 s.")
        case .other: self.init(message: "\(error).", hint: Self.mend)
        }
    }
}

extension ConsoleConfiguration {
    /// The first of its files that can't be read; nil when all can.
    package var unreadableFile: String? {
        [certificatePath, keyPath].compactMap(\.self).first { !FileManager.default.isReadableFile(atPath: $0) }
    }
}
