import Enforcement
import Storage

/// A box that was found on this network.
package struct ListedFoundBox: Encodable {
    private let post: String
    private let address: String
    private let isPaired: Bool

    enum CodingKeys: String, CodingKey {
        case post, address
        case isPaired = "is_paired"
    }

    /// - Parameter peers: of this box, also those that were taken back.
    package init(_ box: FoundBox, peers: [Peer]) {
        (post, address) = (box.post, box.address)
        isPaired = peers.contains { $0.status == .active && LogText.of($0.code, limit: 64) == box.post }
    }

    /// Its code is what it says of itself.
    private var text: String { "\(post) at \(address), \(isPaired ? "a box of this code is paired" : "not paired")" }

    /// A line for each.
    package static func text(of boxes: [ListedFoundBox]) -> String {
        guard boxes.isEmpty else { return boxes.map(\.text).joined(separator: "\n") }
        return "No other box announces itself on this network. At the other one avahi-daemon has to run, and "
            + "`sudo checkpost setup --units` announces it where its configuration has [peer]."
    }
}
