import Foundation

/// A directory like `/dev/serial/by-id` with the ports of a stick. Only some of them take commands.
package struct PluggedPorts: Sendable {
    package let directory: URL
    package let ports: [ScriptedModem]

    /// - Parameter dialogues: of the ports, in the order of their names.
    package init(_ dialogues: [Dialogue]) throws {
        ports = try dialogues.map { try ScriptedModem($0) }
        directory = FileManager.default.temporaryDirectory.appending(path: "ports-\(UUID().uuidString)")
        let links = directory.appending(path: "by-id")
        try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
        for (index, port) in ports.enumerated() {
            try FileManager.default.createSymbolicLink(
                atPath: links.appending(path: "usb-stick-if0\(index)").path, withDestinationPath: port.path)
        }
    }

    /// Where the links are.
    package var links: String { directory.appending(path: "by-id").path }

    package func stop() {
        for port in ports { port.stop() }
        try? FileManager.default.removeItem(at: directory)
    }
}
