/// Packing of septets into octets, lowest bits first (3GPP TS 23.038, 6.1.2.1).
package enum SeptetPacking {
    /// Packs septets behind `fillBits` zero bits (0…6), which align the text after a header.
    ///
    /// Worked example: `hi` is 68 69; packed `E8 34`, since the lowest bit of `i` moves up into the first octet.
    package static func pack(_ septets: some Collection<UInt8>, fillBits: Int = 0) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: (septets.count * 7 + fillBits + 7) / 8)
        var bit = fillBits
        for septet in septets {
            let shifted = UInt16(septet & 0x7F) << UInt16(bit % 8)
            octets[bit / 8] |= UInt8(truncatingIfNeeded: shifted)
            if shifted > 0xFF { octets[bit / 8 + 1] |= UInt8(shifted >> 8) }
            bit += 7
        }
        return octets
    }

    /// Reads `count` septets that start after `fillBits` bits; nil when the octets don't hold that many.
    package static func unpack(_ octets: some Collection<UInt8>, count: Int, fillBits: Int = 0) -> [UInt8]? {
        let octets = Array(octets)
        guard count >= 0, fillBits >= 0, count * 7 + fillBits <= octets.count * 8 else { return nil }
        return (0..<count).map { index in
            let bit = index * 7 + fillBits
            var pair = UInt16(octets[bit / 8])
            if bit / 8 + 1 < octets.count { pair |= UInt16(octets[bit / 8 + 1]) << 8 }
            return UInt8(truncatingIfNeeded: pair >> UInt16(bit % 8)) & 0x7F
        }
    }
}
