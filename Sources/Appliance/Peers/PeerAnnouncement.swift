import Enforcement
import Foundation
import Storage

/// How this box is found on its network: a file that avahi-daemon reads by itself whenever it changes. Avahi is optional; without it there is
/// no such folder, and nothing is done.
package enum PeerAnnouncement {
    private static let usualFolder = "/etc/avahi/services"
    private static let fileName = "checkpost.service"
    static let usualPath = "\(usualFolder)/\(fileName)"

    /// Writes it, or takes it away where there is no direct link.
    ///
    /// - Throws: `AdvisedError`.
    package static func write(_ configuration: Configuration, below folder: String? = nil) throws {
        let folder = folder ?? usualFolder
        let path = "\(folder)/\(fileName)"
        guard FileManager.default.fileExists(atPath: folder) else { return }
        func fail(_ reason: String) -> AdvisedError {
            AdvisedError(
                "\(path), by which other boxes find this one, can't be changed: \(reason).", hint: "Run this as root.")
        }
        guard let text = text(configuration) else {
            guard unlink(path) == 0 || errno == ENOENT else { throw fail(String(cString: strerror(errno))) }
            return
        }
        do {
            // Avahi's own user reads it.
            try DurableFile.write(Data(text.utf8), to: URL(fileURLWithPath: path), mode: 0o644, ignoresUmask: true)
        } catch let failure as DurableFile.Failure {
            throw fail(failure.reason)
        }
    }

    /// Nil where nobody on the network can reach this box.
    static func text(_ configuration: Configuration) -> String? {
        guard let peer = configuration.peer, !peer.address.hasPrefix("127."), peer.address != "::1" else { return nil }
        let code = escaped(configuration.post.code)
        // What listens at an IPv4 address is at no IPv6 address.
        let protocols = peer.address.contains(":") ? "any" : "ipv4"
        return """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
            <!-- Written by `checkpost setup`: how other boxes find this one. -->
            <service-group>
              <name>Checkpost \(code)</name>
              <service protocol="\(protocols)">
                <type>\(PeerFinder.serviceType)</type>
                <port>\(peer.port)</port>
                <txt-record>post=\(code)</txt-record>
              </service>
            </service-group>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
