import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// With Avahi itself, at both ends of a cable that leads nowhere else.
@Suite("Two boxes with Avahi on one cable", .timeLimit(.minutes(5)))
struct PeerNetworkTests {
    private static let script = Checkout.root.appendingPathComponent("Tests/CheckpostTests/Machine/two-boxes").path
    private static let apart = [
        "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "/bin/bash", script,
    ]

    private static let isPossible: Bool = {
        let programs = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-browse", "/usr/bin/dbus-daemon", "/usr/bin/unshare"]
        guard geteuid() == 0, programs.allSatisfy(FileManager.default.isExecutableFile(atPath:)) else { return false }
        return (try? OtherProgram.runAndWait("/usr/bin/unshare", apart + ["--try"], limitSeconds: 30))?.status == 0
    }()

    @Test(
        .enabled(
            if: isPossible,
            "needs avahi-daemon, avahi-utils and dbus-daemon, and the right to make network namespaces"))
    func `find each other, and are shown what a stranger announces as a stranger's text`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder["services"], withIntermediateDirectories: true)
        var other = Configuration()
        other.post = Checkpost(code: "BNP-B", name: "Gate", positionIndex: 1)
        other.peer = Configuration.PeerSettings()
        try PeerAnnouncement.write(other, below: folder["services"].path)
        // The text is a new line, an escape sequence, a semicolon, a backslash, a quotation mark and an é.
        let stranger = """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
            <service-group>
              <name>a;b.c\\d "q" é</name>
              <service>
                <type>_checkpost._tcp</type>
                <port>8461</port>
                <txt-record value-format="binary-hex">post=0a1b5b33316d3b5c22c3a9</txt-record>
              </service>
            </service-group>
            """
        _ = try folder.write(stranger, to: "services/stranger.service")
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let peer = Peer(
            publicKey: String(repeating: "0", count: 64), code: "BNP-B", address: nil, pairedAt: BoxClock.now)
        try store.peers.pair(peer, at: peer.pairedAt)
        try store.close()

        let result = try await OtherProgram.run(
            "/usr/bin/unshare",
            Self.apart + [
                folder.url.path, "2", Checkout.program.path, "peer", "find", "--database",
                folder["checkpost.sqlite"].path,
            ], limitSeconds: 120)
        #expect(result.status == 0, "\(result.output)")
        let (objects, lines) = result.output.split(separator: "\n").reduce(into: ([Substring](), [Substring]())) {
            if $1.hasPrefix("{") { $0.0.append($1) } else { $0.1.append($1) }
        }
        try SchemaTests.hold(objects.joined(separator: "\n"), to: "peer find", atLeast: 2, errors: result.output)
        #expect(
            objects == [
                #"{"address":"10.77.0.2:8460","is_paired":true,"post":"BNP-B"}"#,
                #"{"address":"10.77.0.2:8461","is_paired":false,"post":"\\u{A}\\u{1B}[31m;\\\"é"}"#,
            ])
        #expect(
            lines == [
                "BNP-B at 10.77.0.2:8460, a box of this code is paired",
                #"\u{A}\u{1B}[31m;\"é at 10.77.0.2:8461, not paired"#,
            ])
    }

    @Test func `can't be looked for where Avahi doesn't run, which is said with what to do`() async throws {
        let folder = try TemporaryFolder()
        let database = folder["checkpost.sqlite"].path
        try Store(path: database).close()
        let result = try await Program.run(
            ["peer", "find", "--database", database], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"])
        #expect(result.status == 1 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("apt install avahi-daemon avahi-utils"), "\(result.errors)")
        let help = try await Program.run(["peer", "join", "--help"])
        #expect(help.output.contains("peer find"))
    }
}
