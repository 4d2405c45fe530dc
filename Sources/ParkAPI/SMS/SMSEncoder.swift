import Enforcement
import Foundation

/// Writes a passage as the text of one SMS.
package enum SMSEncoder {
    /// What fits into one SMS in the 7-bit alphabet (3GPP TS 23.040). A pipe takes two of them.
    package static let maximumSeptets = 160

    package static let version = "V1"

    /// Writes `passage` as `V1|…`.
    ///
    /// Every field is checked by the server's own rules, since a text that the server refuses costs money and loses a passage: see
    /// ``SMSField``.
    /// - Returns: a text of at most ``maximumSeptets`` septets.
    package static func encode(_ passage: SMSPassage) throws(SMSFormatError) -> String {
        try SMSField.checkpostCode.check(passage.checkpostCode)
        try SMSField.plate.check(passage.compactPlate)
        try SMSField.phoneSuffix.check(passage.rangerPhoneSuffix)
        let seconds = passage.recordedAt.epochSeconds
        guard SMSField.timeRange.contains(seconds) else { throw .timeOutOfRange(String(seconds)) }
        let text = [
            version, passage.checkpostCode, passage.compactPlate, passage.vehicleType.smsCode, String(seconds),
            passage.rangerPhoneSuffix,
        ].joined(separator: "|")
        guard let septets = GSMSeptets.count(of: text) else {
            throw .forbiddenCharacter(passage.checkpostCode, in: .checkpostCode)
        }
        guard septets <= maximumSeptets else { throw .tooLong(septets: septets) }
        return text
    }

    /// The `sms_client_id` of a text that was sent: what the server files the SMS under, computed the same on both sides.
    package static func clientID(of text: String) -> UUID {
        UUIDv5.make(namespace: namespace, name: text)
    }

    /// The name space of the texts, `6f1c9a52-3f0e-5d5b-9c1a-7b5f0f6f2e11`. Changing it would double every passage that
    /// travels both ways.
    package static let namespace = UUID(
        uuid: (
            0x6F, 0x1C, 0x9A, 0x52, 0x3F, 0x0E, 0x5D, 0x5B, 0x9C, 0x1A, 0x7B, 0x5F, 0x0F, 0x6F, 0x2E, 0x11
        ))
}

extension SMSField {
    /// Nine or ten digits, from 1973 until 2100: earlier or later was timed by a clock that is wrong, and milliseconds, the usual
    /// mistake, have thirteen.
    static let timeRange: ClosedRange<Int64> = 100_000_000...4_102_444_799

    /// How many characters a field has at the server.
    var lengths: ClosedRange<Int> {
        switch self {
        case .version: 2...2
        case .checkpostCode: ContractLimits.checkpostCode
        case .plate: ContractLimits.plate
        case .vehicleType: 3...3
        case .time: 9...10
        case .phoneSuffix: 1...4
        }
    }

    private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .checkpostCode:
            scalar.isASCIIDigit || scalar.isASCIIUppercase || ("a"..."z").contains(scalar) || scalar == "-"
                || scalar == "_"
        case .time, .phoneSuffix: scalar.isASCIIDigit
        case .version, .plate, .vehicleType: scalar.isASCIIDigit || scalar.isASCIIUppercase
        }
    }

    /// Checks a field's characters and length by the rules that the server has too.
    func check(_ value: String) throws(SMSFormatError) {
        guard !value.isEmpty else { throw .emptyField(self) }
        if let bad = value.unicodeScalars.first(where: { !isAllowed($0) }) {
            throw .forbiddenCharacter(String(bad), in: self)
        }
        guard lengths.contains(value.unicodeScalars.count) else {
            throw .wrongLength(value.unicodeScalars.count, of: self)
        }
    }
}
