import Enforcement
import Foundation
import PeerLink

/// A box that announces itself on this network. Anybody may announce anything: it is a hint where to look, and the code and the keys prove who
/// it is.
package struct FoundBox: Sendable, Equatable {
    /// What it says that it is, in one line without anything that would command a terminal.
    package var post: String

    /// `host:port`, as `peer join` takes it.
    package var address: String
}

/// Looks for other boxes with Avahi, which asks the network by multicast DNS.
package enum PeerFinder {
    static let serviceType = "_checkpost._tcp"
    static let usualProgram = "/usr/bin/avahi-browse"

    /// Avahi ends sooner: after a second, or after five where one that announces itself doesn't answer.
    private static let patienceSeconds = 10.0

    private static let rounds = 2
    private static let mostBoxes = 64
    private static let mostLines = 2000
    private static let mostLineBytes = 4096
    private static let mostPostCharacters = 64

    /// - Throws: `AdvisedError` where Avahi is not here, or doesn't run.
    package static func find() throws -> [FoundBox] { try find(with: usualProgram) }

    static func find(with program: String) throws -> [FoundBox] {
        guard access(program, X_OK) == 0 else { throw failure("there is no \(program)") }
        var output = ""
        var trouble: AdvisedError?
        // Avahi says that it has all before it has, now and then, and fails while it starts: what comes in any of these rounds counts.
        for _ in 0..<rounds {
            let result = BoundedProgram.run(
                program,
                ["--parsable", "--resolve", "--terminate", "--no-db-lookup", "--ignore-local", serviceType],
                seconds: patienceSeconds)
            output += result.output + "\n"
            if result.status != 0 {
                trouble = failure(result.output.split(separator: "\n").last.map(String.init) ?? "Avahi said nothing")
            }
        }
        let found = parse(output)
        if let trouble, found.isEmpty { throw trouble }
        return found
    }

    private static func failure(_ reason: String) -> AdvisedError {
        AdvisedError(
            "Other boxes can't be looked for: \(String(sentence: LogText.of(reason)))",
            hint: "sudo apt install avahi-daemon avahi-utils, and look whether avahi-daemon runs; "
                + "or type the other box's address: checkpost peer join 10.0.0.2 CODE")
    }

    /// The boxes in what avahi-browse says, by their posts. Of one that it sees twice at an interface the IPv4 address counts.
    ///
    /// A line is `=;eth0;IPv4;NAME;_checkpost._tcp;local;HOST;10.0.0.2;8460;"post=BNP-B"`. The last field alone may have a semicolon in it.
    static func parse(_ output: String) -> [FoundBox] {
        var found: [Place: FoundBox] = [:]
        let lines = Array(output.utf8).split(separator: UInt8(ascii: "\n")).prefix(mostLines)
        for line in lines where line.count <= mostLineBytes {
            let fields = line.split(separator: UInt8(ascii: ";"), maxSplits: 9, omittingEmptySubsequences: false)
            guard fields.count == 10 else { continue }
            let words = fields.dropLast().map { String(decoding: $0, as: UTF8.self) }
            guard words[0] == "=", words[4] == serviceType, let address = address(words[7], port: words[8]),
                let post = post(in: strings(fields[9]))
            else { continue }
            let place = Place(interface: words[1], name: words[3], domain: words[5])
            let known = found[place]
            guard known == nil || (known?.address.hasPrefix("[") == true && !address.hasPrefix("[")) else { continue }
            guard known != nil || found.count < mostBoxes else { continue }
            found[place] = FoundBox(post: post, address: address)
        }
        let boxes = found.values.reduce(into: [FoundBox]()) { if !$0.contains($1) { $0.append($1) } }
        return boxes.sorted { ($0.post, $0.address) < ($1.post, $1.address) }
    }

    private struct Place: Hashable {
        var interface: String
        var name: String
        var domain: String
    }

    /// Nil for what leads nowhere from here: this machine itself, or an address that means something at one interface, which nobody has said.
    private static func address(_ text: String, port: String) -> String? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            return text.hasPrefix("127.") || text.hasPrefix("0.") ? nil : PeerCaller.address(typed: "\(text):\(port)")
        }
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        let isOwn = bytes.dropLast().allSatisfy { $0 == 0 }
        return isLinkLocal || isOwn ? nil : PeerCaller.address(typed: "[\(text)]:\(port)")
    }

    private static func post(in strings: [String]) -> String? {
        guard let code = strings.first(where: { $0.hasPrefix("post=") })?.dropFirst(5), !code.isEmpty else {
            return nil
        }
        return LogText.of(String(code), limit: mostPostCharacters)
    }

    /// The strings of a TXT record: each stands in quotation marks, with a space between two.
    private static func strings(_ text: ArraySlice<UInt8>) -> [String] {
        var found: [String] = []
        var string: [UInt8]?
        var rest = text
        while let byte = rest.popFirst() {
            switch (byte, string) {
            case (UInt8(ascii: "\""), nil): string = []
            case (_, nil): break
            case (UInt8(ascii: "\""), let whole?):
                found.append(String(decoding: whole, as: UTF8.self))
                string = nil
            case (UInt8(ascii: "\\"), _): if let byte = unescaped(&rest) { string?.append(byte) }
            default: string?.append(byte)
            }
        }
        return found
    }

    /// What stands behind a backslash: a byte as three digits, or a character as it is. `\195\169` is é.
    private static func unescaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        let digits = rest.prefix(3)
        if digits.count == 3, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let byte = UInt8(String(decoding: digits, as: UTF8.self))
        {
            rest = rest.dropFirst(3)
            return byte
        }
        return rest.popFirst()
    }
}
