/// What the name of a box's package says: `checkpost_1.3.0+debian12_arm64.deb`.
package struct PackageName: Sendable, Equatable {
    package let text: String
    package let version: String
    package let architecture: String

    /// Nil for any other name, and for one that could be no file's in a folder.
    package init?(_ text: String) {
        guard text.hasPrefix("checkpost_"), text.hasSuffix(".deb"), text.utf8.count <= 200,
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") })
        else { return nil }
        let parts = text.dropFirst(10).dropLast(4).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].first?.isNumber == true, !parts[1].isEmpty else { return nil }
        (self.text, version, architecture) = (text, String(parts[0]), String(parts[1]))
    }

    /// For which Debian a version was made: `debian12`; nil where it doesn't say.
    package static func system(of version: String) -> Substring? {
        guard let plus = version.lastIndex(of: "+") else { return nil }
        let last = version[version.index(after: plus)...]
        return last.hasPrefix("debian") ? last : nil
    }

    /// Whether it is for such a machine: its processor, and the Debian for which `installed` was made.
    package func fits(architecture ours: String, installed: String?) -> Bool {
        guard architecture == ours || architecture == "all" else { return false }
        guard let here = installed.flatMap(Self.system), let there = Self.system(of: version) else { return true }
        return here == there
    }
}

/// A package that the park's server offers to this post. Nobody has checked its signature yet.
package struct OfferedUpdate: Sendable, Equatable {
    package let name: PackageName
    package let bytes: Int

    /// Of its bytes, in hexadecimal.
    package let sha256: String

    /// As the file beside the package has it.
    package let signature: String
    package let offeredAt: Instant

    /// More are no offer.
    package static let most = 40
    package static let mostBytes = 2 << 30

    /// Nil for what no box can take.
    package init?(fileName: String, bytes: Int, sha256: String, signature: String, offeredAt: Instant) {
        guard let name = PackageName(fileName), (1...Self.mostBytes).contains(bytes),
            sha256.utf8.count == 64, sha256.allSatisfy({ $0.isHexDigit && !$0.isUppercase }),
            (1...4096).contains(signature.utf8.count)
        else { return nil }
        (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
        (self.signature, self.offeredAt) = (signature, offeredAt)
    }

    /// The newest of those that fit this machine.
    ///
    /// - Parameter isNewer: whether the first version is newer than the second, as Debian compares them.
    package static func newest(
        of offers: [OfferedUpdate], architecture: String, installed: String, isNewer: (String, String) -> Bool
    ) -> OfferedUpdate? {
        let fitting = offers.filter { $0.name.fits(architecture: architecture, installed: installed) }
        guard var best = fitting.first else { return nil }
        for offer in fitting.dropFirst() where isNewer(offer.name.version, best.name.version) { best = offer }
        return isNewer(best.name.version, installed) ? best : nil
    }
}
