/// Finds frames in what comes over a serial line, in pieces of any size and with noise between them.
///
/// A frame stands between two flags, as in HDLC. Whatever goes wrong in one, the next flag begins anew; no more than the longest frame is
/// ever kept.
package struct TriggerDecoder: Sendable, Equatable {
    package enum Finding: Sendable, Equatable {
        case frame(TriggerFrame)
        /// Its checksum is wrong, it is too long or too short, or it was broken off.
        case damaged
        /// Its checksum is right, and it makes no sense.
        case unknown
    }

    static let flag: UInt8 = 0x7E
    static let escape: UInt8 = 0x7D
    static let stuffing: UInt8 = 0x20

    /// With the checksum. The longest frame of this version has 18; a later one may add to it.
    package static let longest = 64

    /// Nil before the first flag, and after a frame that is too long.
    private var content: [UInt8]?
    private var isEscaped = false
    private var isTooLong = false

    package init() {}

    package mutating func feed(_ bytes: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        for byte in bytes {
            if byte == Self.flag {
                if let finding = end() { findings.append(finding) }
                (content, isEscaped, isTooLong) = ([], false, false)
            } else if byte == Self.escape, !isEscaped {
                isEscaped = true
            } else {
                content?.append(isEscaped ? byte ^ Self.stuffing : byte)
                isEscaped = false
                if let count = content?.count, count > Self.longest { (content, isTooLong) = (nil, true) }
            }
        }
        return findings
    }

    /// What stood before a flag; nil for nothing, since one flag may end a frame and begin the next, or two may.
    private func end() -> Finding? {
        if isTooLong { return .damaged }
        guard let content, !content.isEmpty || isEscaped else { return nil }
        guard content.count >= 4, !isEscaped else { return .damaged }
        let sum = UInt16(content[content.count - 2]) | UInt16(content[content.count - 1]) << 8
        let inner = Array(content.dropLast(2))
        guard TriggerChecksum.of(inner) == sum else { return .damaged }
        return TriggerFrame(content: inner).map { .frame($0) } ?? .unknown
    }
}
