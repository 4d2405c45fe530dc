import Appliance
import ArgumentParser
import Enforcement
import Storage

struct PeerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peer", abstract: "The direct link to the other post, and to boxes that lend their link.",
        discussion: """
            Both boxes run with [peer] in their configuration. `peer pair` at one shows a code; `peer join` at the other takes its address \
            and the code. From then on each asks the other what is new, over a radio, a cable or a LAN. A hub is any box that has a link: with \
            `peer pair --guest` there and `peer join --hub` here it lends this one its way to the server. Several may have one hub.

            Example: checkpost peer pair; at the other post: checkpost peer join 10.0.0.2 7K2M-9QXR-0ABC-DE45
            """,
        subcommands: [Pair.self, Find.self, Join.self, List.self, Address.self, Revoke.self],
        defaultSubcommand: List.self)

    struct Pair: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a code to type at the other post, or at a box to lend to.")
        @OptionGroup var store: StoreOptions
        @Flag(help: "Of a box that this one is to lend its link to.") var guest = false
        func run() throws {
            let pairing = try store.pairing()
            let (code, until) = try pairing.makeCode(forGuest: guest, at: BoxClock.now)
            print("\(code)")
            Output.note(pairing.advice(code, forGuest: guest, until: until))
        }
    }

    struct Find: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the boxes that announce themselves on this network.",
            discussion: """
                Avahi is asked (avahi-daemon, avahi-utils). Anybody may announce anything: what is found says where to look. \
                The code that you type and the keys prove who it is, and nothing is joined by itself.
                """)
        @OptionGroup var store: StoreOptions
        @Flag(help: "Print one JSON object a box.") var json = false
        func run() throws {
            let peers = try store.openStore().peers.list()
            let boxes = try PeerFinder.find().map { ListedFoundBox($0, peers: peers) }
            if json { return try boxes.forEach { try Output.printJSON($0) } }
            print(ListedFoundBox.text(of: boxes))
        }
    }

    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pair with the post, or the hub, that shows a code.",
            discussion: "`checkpost peer find` lists addresses of boxes on this network, where Avahi is installed.")
        @OptionGroup var store: StoreOptions
        @Flag(help: "It is no other end of the road: it lends this box its link.") var hub = false
        @Argument(help: "The other post's address: 10.0.0.2, or 10.0.0.2:8460.") var address: String
        @Argument(help: "The code that it shows.") var code: String
        func run() throws {
            let peer = try store.pairing().join(address, code, asHub: hub, at: BoxClock.now)
            print("Paired with \(LogText.of(peer.code, limit: 64)) at \(peer.address ?? "").")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say with whom this box is paired, or was.")
        @OptionGroup var store: StoreOptions
        @Flag(help: "Print one JSON object a peer.") var json = false
        func run() throws {
            let peers = try store.openStore().peers.list().map(ListedPeer.init)
            if json { return try peers.forEach { try Output.printJSON($0) } }
            guard !peers.isEmpty else { return print("This box is paired with none.") }
            peers.forEach { print($0.text) }
        }
    }

    struct Address: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say where the other post, or a hub, is now.")
        @OptionGroup var store: StoreOptions
        @Argument(help: "10.0.0.2, or 10.0.0.2:8460.") var address: String
        @Argument(help: "The code of a hub; without it, the other post.") var post: String?
        func run() throws { print("It is asked at \(try store.pairing().move(post, to: address)).") }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End it: the other box is told nothing any more, and nothing of it is taken.")
        @OptionGroup var store: StoreOptions
        @Argument(help: "Its code, or how its key begins; without it, the other post.") var post: String?
        func run() throws {
            try store.pairing().revoke(post, at: BoxClock.now)
            print("This box is paired with \(post ?? "the other post") no more.")
        }
    }
}

extension StoreOptions {
    fileprivate func pairing() throws -> PeerPairing {
        PeerPairing(store: try openStore(), configuration: try configuration())
    }
}
