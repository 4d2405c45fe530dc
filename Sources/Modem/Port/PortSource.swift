import Foundation

/// Where the modem's port is.
package enum PortSource: Hashable, Sendable {
    case path(String)

    /// Whichever modem is plugged in: the links in a directory are asked one after the other, since a stick has several ports and
    /// only some of them take commands.
    case anyIn(directory: String)

    /// Reads a setting: `auto` or a path.
    package init(setting: String) {
        self = setting == "auto" ? .anyIn(directory: "/dev/serial/by-id") : .path(setting)
    }

    /// More ports than these are no modem's.
    static let maximumPorts = 32

    /// The paths to try, in order; empty when nothing is plugged in.
    ///
    /// - Parameter first: tried before the others, if it is among them.
    package func paths(first: String? = nil) -> [String] {
        switch self {
        case .path(let path): return [path]
        case .anyIn(let directory):
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            let paths = names.sorted().prefix(Self.maximumPorts).map { directory + "/" + $0 }
            return paths.filter { $0 == first } + paths.filter { $0 != first }
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
