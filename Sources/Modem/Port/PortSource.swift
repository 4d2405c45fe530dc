import Foundation

/// Where the modem's port is.
package enum PortSource: Hashable, Sendable {
    case path(String)

    /// Whichever modem is plugged in: the links in a directory are tried one after the other, since a stick has several ports and
    /// only some of them take commands.
    case anyIn(directory: String)

    /// Reads a setting: `auto` or a path.
    package init(setting: String) {
        self = setting == "auto" ? .anyIn(directory: "/dev/serial/by-id") : .path(setting)
    }

    /// The path for the given attempt, counted from 0; nil when nothing is plugged in.
    package func path(attempt: Int) -> String? {
        switch self {
        case .path(let path): return path
        case .anyIn(let directory):
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            guard !names.isEmpty else { return nil }
            return directory + "/" + names.sorted()[attempt % names.count]
        }
    }
}

extension PortSource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path(let path): path
        case .anyIn(let directory): "any port in \(directory)"
        }
    }
}
