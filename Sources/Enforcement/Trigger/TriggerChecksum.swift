/// What guards a trigger's frames: CRC-16/X-25, as in HDLC and PPP (polynomial 0x1021 with its bits turned round, begun with 0xFFFF, and
/// inverted at the end).
///
/// Example: the nine characters `123456789` give 0x906E.
package enum TriggerChecksum {
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var sum: UInt16 = 0xFFFF
        for byte in bytes {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x8408 : sum >> 1 }
        }
        return ~sum
    }
}
