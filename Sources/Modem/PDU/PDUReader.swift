/// Takes octets from the front of a PDU, never past its end.
struct PDUReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ octets: [UInt8]) { rest = octets[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func octet() throws(PDUError) -> UInt8 {
        guard let octet = rest.popFirst() else { throw .cutShort }
        return octet
    }

    mutating func octets(_ count: Int) throws(PDUError) -> [UInt8] {
        guard count >= 0, rest.count >= count else { throw .cutShort }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The service centre in front of a PDU: a length in octets, type, semi-octets. nil when the length is 0.
    mutating func serviceCentre() throws(PDUError) -> PhoneNumber? {
        let length = Int(try octet())
        guard length > 0 else { return nil }
        let type = try octet()
        let digits = PhoneNumber.digits(of: try octets(length - 1), count: (length - 1) * 2)
        return PhoneNumber(kind: type & 0x70 == 0x10 ? .international : .national, digits: digits)
    }

    /// An originating, destination or recipient address: a length in digits, type, semi-octets.
    mutating func address() throws(PDUError) -> PhoneNumber {
        let count = Int(try octet())
        let type = try octet()
        let octets = try octets((count + 1) / 2)
        switch type & 0x70 {
        case 0x10: return PhoneNumber(kind: .international, digits: PhoneNumber.digits(of: octets, count: count))
        case 0x50:
            let septets = SeptetPacking.unpack(octets, count: count * 4 / 7) ?? []
            return PhoneNumber(kind: .alphanumeric, digits: GSMAlphabet.text(of: septets))
        default: return PhoneNumber(kind: .national, digits: PhoneNumber.digits(of: octets, count: count))
        }
    }

    mutating func timestamp() throws(PDUError) -> PDUTimestamp? {
        PDUTimestamp(semiOctets: try octets(7))
    }
}
