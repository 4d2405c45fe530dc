/// A text on its way to a number, as one or more SMS-SUBMIT PDUs (3GPP TS 23.040, 9.2.2.2).
///
/// ```
/// let submit = try SMSSubmit(to: number, text: "V1|…")
/// for part in submit.parts { "AT+CMGS=\(part.length)", then part.hex }
/// ```
package struct SMSSubmit: Hashable, Sendable {
    /// One PDU.
    package struct Part: Hashable, Sendable {
        /// Service centre (one zero octet: the SIM's own) and TPDU.
        package let octets: [UInt8]

        /// What `AT+CMGS=` takes: the octets without the service centre's.
        package var length: Int { octets.count - 1 - Int(octets.first ?? 0) }

        package var hex: String { Hex.text(octets) }
    }

    package enum Coding: Hashable, Sendable {
        case sevenBit
        case ucs2
    }

    /// More would be a mistake: the limit of a person's text message in most networks.
    package static let maximumParts = 8

    package let number: PhoneNumber
    package let coding: Coding
    package let parts: [Part]

    /// - Parameters:
    ///   - text: sent in the 7-bit alphabet when it has every character, otherwise in UCS-2.
    ///   - validity: how long the network keeps trying; nil leaves it to the network.
    ///   - wantsReport: whether the network is asked for a status report.
    ///   - concatenationReference: ties the parts of a long text together; should differ from text to text.
    package init(
        to number: PhoneNumber, text: String, validity: ValidityPeriod? = .day, wantsReport: Bool = true,
        concatenationReference: UInt8 = 0
    ) throws(PDUError) {
        guard number.kind != .alphanumeric else { throw .badNumber(number.digits) }
        guard !text.isEmpty else { throw .emptyText }
        self.number = number
        let data: [UserData]
        if let septets = Self.sevenBitChunks(text) {
            coding = .sevenBit
            data = septets.map { UserData(septets: $0) }
        } else {
            coding = .ucs2
            data = Self.ucs2Chunks(text).map { UserData(codeUnits: $0) }
        }
        guard data.count <= Self.maximumParts else { throw .tooManyParts(data.count) }
        let coding = coding
        parts = data.enumerated().map { index, userData in
            let header =
                data.count == 1
                ? [] : [0x05, 0x00, 0x03, concatenationReference, UInt8(data.count), UInt8(index + 1)]
            return Self.part(
                number, userData, header: header, coding: coding, validity: validity,
                // One report is enough to know that the text arrived; the last part's comes when all were sent.
                wantsReport: wantsReport && index == data.count - 1)
        }
    }

    private static func part(
        _ number: PhoneNumber, _ data: UserData, header: [UInt8], coding: Coding, validity: ValidityPeriod?,
        wantsReport: Bool
    ) -> Part {
        // Message type SUBMIT; relative validity period; status report request; user data header.
        var first: UInt8 = 0x01
        if validity != nil { first |= 0x10 }
        if wantsReport { first |= 0x20 }
        if !header.isEmpty { first |= 0x40 }
        let messageReference: UInt8 = 0  // The modem puts its own here.
        let protocolIdentifier: UInt8 = 0
        var octets: [UInt8] = [0x00, first, messageReference]
        octets += [UInt8(number.digits.utf8.count), number.typeOctet] + number.semiOctets
        octets += [protocolIdentifier, coding == .ucs2 ? 0x08 : 0x00]
        if let validity { octets.append(validity.octet) }
        octets += data.encoded(header: header)
        return Part(octets: octets)
    }
}

/// What a PDU carries behind its fields.
private struct UserData {
    let septets: [UInt8]?
    let octets: [UInt8]

    init(septets: [UInt8]) {
        self.septets = septets
        octets = []
    }

    init(codeUnits: [UInt16]) {
        septets = nil
        octets = codeUnits.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// Length and data. The length counts septets in the 7-bit alphabet, with the header and its fill bits, else octets.
    func encoded(header: [UInt8]) -> [UInt8] {
        guard let septets else { return [UInt8(header.count + octets.count)] + header + octets }
        let headerSeptets = (header.count * 8 + 6) / 7
        let fillBits = headerSeptets * 7 - header.count * 8
        return [UInt8(headerSeptets + septets.count)] + header + SeptetPacking.pack(septets, fillBits: fillBits)
    }
}

extension SMSSubmit {
    /// 160 septets in one SMS, 153 in each of several. An escape is never parted from its character.
    private static func sevenBitChunks(_ text: String) -> [[UInt8]]? {
        var characters: [[UInt8]] = []
        for scalar in text.unicodeScalars {
            guard let septets = GSMAlphabet.septets(of: scalar) else { return nil }
            characters.append(septets)
        }
        return chunks(of: characters, single: 160, multiple: 153)
    }

    /// 70 code units in one SMS, 67 in each of several. Surrogates stay together.
    private static func ucs2Chunks(_ text: String) -> [[UInt16]] {
        chunks(of: text.unicodeScalars.map { Array(String($0).utf16) }, single: 70, multiple: 67)
    }

    private static func chunks<Unit>(of characters: [[Unit]], single: Int, multiple: Int) -> [[Unit]] {
        let total = characters.reduce(0) { $0 + $1.count }
        guard total > single else { return [characters.flatMap { $0 }] }
        var chunks: [[Unit]] = [[]]
        for character in characters {
            if chunks[chunks.count - 1].count + character.count > multiple { chunks.append([]) }
            chunks[chunks.count - 1] += character
        }
        return chunks
    }
}
