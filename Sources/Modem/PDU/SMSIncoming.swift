/// A PDU that came from the network (3GPP TS 23.040, 9.2.2.1 and 9.2.2.3).
package enum SMSIncoming: Hashable, Sendable {
    case delivery(SMSDelivery)
    case report(StatusReport)

    /// Something that was stored for sending. It is of no interest.
    case submission

    /// Reads a PDU with the service centre in front, in hexadecimal, as `+CMGL`, `+CMGR` and `+CDS` give it.
    package init(hex: some StringProtocol) throws(PDUError) {
        guard hex.utf8.count <= 1024, let octets = Hex.octets(hex) else { throw .notHexadecimal }
        try self.init(octets: octets)
    }

    package init(octets: [UInt8]) throws(PDUError) {
        var reader = PDUReader(octets)
        _ = try reader.serviceCentre()
        let first = try reader.octet()
        switch first & 0x03 {
        case 0: self = .delivery(try SMSDelivery(first: first, &reader))
        case 1: self = .submission
        case 2: self = .report(try StatusReport(&reader))
        default: throw .unknownType(first & 0x03)
        }
    }
}

/// A message from somebody. Nothing acts on it.
package struct SMSDelivery: Hashable, Sendable {
    package let sender: PhoneNumber
    package let sentAt: PDUTimestamp?

    /// nil when the data are neither 7-bit nor UCS-2 (pictures, settings, flash data).
    package let text: String?

    init(first: UInt8, _ reader: inout PDUReader) throws(PDUError) {
        sender = try reader.address()
        _ = try reader.octet()  // Protocol identifier.
        let coding = try reader.octet()
        sentAt = try reader.timestamp()
        text = try Self.text(&reader, coding: coding, hasHeader: first & 0x40 != 0)
    }

    private static func text(
        _ reader: inout PDUReader, coding: UInt8, hasHeader: Bool
    ) throws(PDUError) -> String? {
        let length = Int(try reader.octet())
        let alphabet = Alphabet(coding: coding)
        let octetCount = alphabet == .sevenBit ? (length * 7 + 7) / 8 : length
        let octets = try reader.octets(octetCount)
        var headerOctets = 0
        if hasHeader {
            guard let first = octets.first, Int(first) < octets.count else { throw .badUserData }
            headerOctets = Int(first) + 1
        }
        switch alphabet {
        case .sevenBit:
            let headerSeptets = (headerOctets * 8 + 6) / 7
            guard headerSeptets <= length,
                let septets = SeptetPacking.unpack(
                    octets.dropFirst(headerOctets), count: length - headerSeptets,
                    fillBits: headerSeptets * 7 - headerOctets * 8)
            else { throw .badUserData }
            return GSMAlphabet.text(of: septets)
        case .ucs2:
            let units = Array(octets.dropFirst(headerOctets))
            let pairs = stride(from: 0, to: units.count - 1, by: 2)
            return String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
        case .other: return nil
        }
    }

    private enum Alphabet {
        case sevenBit
        case ucs2
        case other

        /// 3GPP TS 23.038, chapter 4.
        init(coding: UInt8) {
            switch coding >> 4 {
            case 0x0...0x7:
                // Bit 5 says compressed, which nobody sends.
                if coding & 0x20 != 0 {
                    self = .other
                } else {
                    self = coding & 0x0C == 0x00 ? .sevenBit : coding & 0x0C == 0x08 ? .ucs2 : .other
                }
            case 0xC, 0xD: self = .sevenBit
            case 0xE: self = .ucs2
            case 0xF: self = coding & 0x04 == 0 ? .sevenBit : .other
            default: self = .other
            }
        }
    }
}

/// What the network says about a message that was sent.
package struct StatusReport: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case delivered

        /// The network is still trying.
        case pending

        case undeliverable
    }

    /// The reference that `+CMGS:` gave when the message was sent.
    package let reference: UInt8

    package let recipient: PhoneNumber
    package let sentAt: PDUTimestamp?
    package let settledAt: PDUTimestamp?

    /// TP-Status (3GPP TS 23.040, 9.2.3.15).
    package let status: UInt8

    package var verdict: Verdict { Self.verdict(of: status) }

    init(reference: UInt8, recipient: PhoneNumber, status: UInt8) {
        self.reference = reference
        self.recipient = recipient
        self.status = status
        sentAt = nil
        settledAt = nil
    }

    init(_ reader: inout PDUReader) throws(PDUError) {
        reference = try reader.octet()
        recipient = try reader.address()
        sentAt = try reader.timestamp()
        settledAt = try reader.timestamp()
        status = try reader.octet()
    }

    /// 0…2 done; 32…63 temporary, still trying; 64…95 permanent and 96…127 temporary, given up. Reserved values count as
    /// pending: they settle nothing.
    static func verdict(of status: UInt8) -> Verdict {
        switch status {
        case 0...2: .delivered
        case 64...127: .undeliverable
        default: .pending
        }
    }
}
