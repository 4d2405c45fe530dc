import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("Boxes that announce themselves on the network", .timeLimit(.minutes(5)))
struct PeerFinderTests {
    private func line(
        interface: String = "eth0", name: String = "Checkpost\\032BNP-B", type: String = "_checkpost._tcp",
        address: String = "10.0.0.2", port: String = "8460", txt: String = "\"post=BNP-B\""
    ) -> String {
        let family = address.contains(":") ? "IPv6" : "IPv4"
        return "=;\(interface);\(family);\(name);\(type);local;box.local;\(address);\(port);\(txt)\n"
    }

    private func box(_ post: String, _ address: String) -> FoundBox { FoundBox(post: post, address: address) }

    @Test func `are listed by their posts, as avahi-browse tells of them`() {
        let output = #"""
            +;cable0;IPv4;Checkpost\032BNP-B;_checkpost._tcp;local
            +;cable0;IPv4;a\059b\.c\\d\032\034q\034\032\195\169;_checkpost._tcp;local
            =;cable0;IPv4;Checkpost\032BNP-B;_checkpost._tcp;local;b.local;10.77.0.2;8460;"post=BNP-B"
            =;cable0;IPv4;a\059b\.c\\d\032\034q\034\032\195\169;_checkpost._tcp;local;a.local;10.77.0.9;8461;"post" "post=BNP;A" "other=1"

            """#
        #expect(PeerFinder.parse(output) == [box("BNP-B", "10.77.0.2:8460"), box("BNP;A", "10.77.0.9:8461")])
        #expect(PeerFinder.parse("").isEmpty)
    }

    @Test func `are at their IPv4 address where they have one, in whatever order it is told`() {
        let lines = [line(), line(address: "fd00::2"), line(address: "fe80::c8de:eff:fe55:ee28")]
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
            let output = order.map { lines[$0] }.joined()
            #expect(PeerFinder.parse(output) == [box("BNP-B", "10.0.0.2:8460")], "\(order)")
        }
        #expect(PeerFinder.parse(lines[1] + lines[2]) == [box("BNP-B", "[fd00::2]:8460")])
    }

    @Test func `are listed once an address, also over a cable and a radio`() {
        let radio = line(interface: "wlan0", address: "192.168.7.2")
        #expect(
            PeerFinder.parse(line() + radio + line(interface: "br0"))
                == [box("BNP-B", "10.0.0.2:8460"), box("BNP-B", "192.168.7.2:8460")])
    }

    @Test(arguments: [
        "fe80::1", "FE80::1", "febf::1", "::1", "::", "127.0.0.1", "0.0.0.0", "fe80::1%eth0", "box.local",
        "", "10.0.0", "10.0.0.2 rm", "$(reboot)",
    ])
    func `are not at an address that leads nowhere from here, or is none`(_ address: String) {
        #expect(PeerFinder.parse(line(address: address)).isEmpty)
    }

    @Test(
        arguments: [
            (#""post=\195\169\010\027[31m""#, #"é\u{A}\u{1B}[31m"#), (#""post=a \"b\" \\ c;d""#, #"a "b" \ c;d"#),
            (#""post=BNP-B" "post=BNP-C""#, "BNP-B"), (#""post=\255\999\9""#, "\u{FFFD}9999"), (#""post=BNP-B\"#, nil),
            (#""POST=BNP-B""#, nil), (#""post=""#, nil), (#""post""#, nil), ("post=BNP-B", nil), ("", nil),
            (#""post=BNP-B"#, nil),
        ] as [(String, String?)])
    func `say who they are in one line that commands no terminal`(_ txt: String, _ post: String?) {
        #expect(PeerFinder.parse(line(txt: txt)).first?.post == post)
    }

    @Test func `say it in 64 characters, none of which turns the line around`() throws {
        let post = String(repeating: "x", count: 63)
        let found = try #require(PeerFinder.parse(line(txt: "\"post=\u{202E}\(post)\(post)\"")).first)
        #expect(found.post == "\\u{202E}\(post)…")
    }

    @Test func `are none in a line that is broken, too long, or about something else`() {
        let long = line(txt: "\"x=\(String(repeating: "x", count: 4096))\" \"post=BNP-B\"")
        let broken = [
            "=", "=;;;;;;;;;", "=;eth0;IPv4;x;_checkpost._tcp;local;box.local;10.0.0.2;8460", "+" + line().dropFirst(),
            line(type: "_http._tcp"), line(port: "0"), line(port: "65536"), line(port: "-1"), line(port: ""),
            line(port: "84\n60"), line(address: "10.0.0.2\u{0}"), long,
            "Failed to create client object: Daemon not running\n", "\u{0}\u{FFFD};\r\n",
        ]
        for text in broken { #expect(PeerFinder.parse(text).isEmpty, "\(text.prefix(200))") }
        #expect(PeerFinder.parse(broken.joined(separator: "\n") + "\n" + line()).count == 1)
    }

    @Test func `are bounded, however many somebody makes up`() {
        let flood = (0..<5000).map { line(name: "\($0)", address: "10.0.\($0 / 250).\($0 % 250)") }.joined()
        #expect(PeerFinder.parse(flood).count == 64)
    }

    @Test func `are paired where a pairing with such a code holds`() throws {
        var revoked = Peer(
            publicKey: String(repeating: "0", count: 64), code: "BNP-C", address: nil,
            pairedAt: Instant(milliseconds: 1))
        revoked.status = .revoked
        let hub = Peer(
            publicKey: String(repeating: "1", count: 64), code: "HQ", kind: .hub, address: nil,
            pairedAt: Instant(milliseconds: 1))
        let boxes = ["BNP-C", "HQ"].map { ListedFoundBox(box($0, "10.0.0.2:8460"), peers: [revoked, hub]) }
        let lines = try boxes.map { String(decoding: try JSONEncoder.shown.encode($0), as: UTF8.self) }
        #expect(lines[0] == #"{"address":"10.0.0.2:8460","is_paired":false,"post":"BNP-C"}"#)
        #expect(lines[1] == #"{"address":"10.0.0.2:8460","is_paired":true,"post":"HQ"}"#)
        try SchemaTests.hold(lines.joined(separator: "\n"), to: "peer find", atLeast: 2)
        #expect(
            ListedFoundBox.text(of: boxes)
                == "BNP-C at 10.0.0.2:8460, not paired\nHQ at 10.0.0.2:8460, a box of this code is paired")
        #expect(ListedFoundBox.text(of: []).hasPrefix("No other box announces itself"))
    }

    @Test(arguments: ["/nowhere/avahi-browse", "/bin/false"])
    func `can't be looked for without Avahi, and it is said how to get it or do without`(_ program: String) {
        let error = #expect(throws: AdvisedError.self) { try PeerFinder.find(with: program) }
        #expect(error?.hint.contains("apt install avahi-daemon avahi-utils") == true)
        #expect(error?.hint.contains("peer join 10.0.0.2 CODE") == true)
    }

    @Test(arguments: [1, 2]) func `are listed where Avahi fails once, before it or after it told of them`(fails: Int)
        throws
    {
        let folder = try TemporaryFolder()
        let program = folder["avahi-browse"]
        try Data(
            """
            #!/bin/sh
            echo >> '\(folder["calls"].path)'
            [ "$(wc -l < '\(folder["calls"].path)')" -ne \(fails) ] || { echo 'Daemon not running'; exit 1; }
            cat <<'END'
            \(line())END

            """.utf8
        ).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        #expect(try PeerFinder.find(with: program.path) == [box("BNP-B", "10.0.0.2:8460")])
    }
}

@Suite("How a box is announced on its network", .timeLimit(.minutes(2)))
struct PeerAnnouncementTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder["services/checkpost.service"]
        try FileManager.default.createDirectory(at: folder["services"], withIntermediateDirectories: true)
    }

    private func configuration(
        _ code: String = "BNP-B", address: String = "0.0.0.0", port: Int = 8460
    ) -> Configuration {
        var configuration = Configuration()
        configuration.post = Checkpost(code: code, name: "Gate", positionIndex: 1)
        configuration.peer = Configuration.PeerSettings(address: address, port: port)
        return configuration
    }

    private func write(_ configuration: Configuration) throws {
        try PeerAnnouncement.write(configuration, below: folder["services"].path)
    }

    private var text: String? {
        FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `is a file for Avahi with post and port, written anew when they change`() throws {
        try write(configuration())
        #expect(text?.contains("<type>_checkpost._tcp</type>") == true && text?.contains("<port>8460</port>") == true)
        #expect(text?.contains("<txt-record>post=BNP-B</txt-record>") == true)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o644, "Avahi's own user reads it")
        try write(configuration("BNP-A", port: 9000))
        #expect(text?.contains("BNP-B") == false && text?.contains("<port>9000</port>") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["services"].path) == ["checkpost.service"])
    }

    @Test func `is taken away where there is no direct link, or one that nobody reaches`() throws {
        for address in ["127.0.0.1", "::1", nil] {
            try write(configuration())
            #expect(text != nil)
            var other = configuration(address: address ?? "0.0.0.0")
            if address == nil { other.peer = nil }
            for _ in 0..<2 { try write(other) }
            #expect(text == nil, "\(address ?? "none")")
        }
    }

    @Test func `tells of IPv6 only where the box listens there`() throws {
        for (address, protocols) in [("0.0.0.0", "ipv4"), ("10.0.0.2", "ipv4"), ("::", "any")] {
            try write(configuration(address: address))
            #expect(text?.contains("<service protocol=\"\(protocols)\">") == true, "\(address)")
        }
    }

    @Test func `is no file of another form, whatever the post is called`() throws {
        try write(configuration("</name>&\"'"))
        #expect(text?.contains("<txt-record>post=&lt;/name&gt;&amp;&quot;'</txt-record>") == true)
    }

    @Test func `is nothing where Avahi is not installed`() throws {
        try PeerAnnouncement.write(configuration(), below: folder["none"].path)
        #expect(!FileManager.default.fileExists(atPath: folder["none"].path))
    }
}
