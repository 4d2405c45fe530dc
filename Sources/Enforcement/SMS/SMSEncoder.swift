import Foundation

/// Writes a passage as the text of one SMS.
package enum SMSEncoder {
    /// What fits into one SMS in the 7-bit alphabet (3GPP TS 23.040). A pipe takes two of them.
    package static let maximumSeptets = 160

    package static let version = "V1"

    /// Writes `passage` as `V1|…`.
    ///
    /// Every field is checked, since a text that the server can't read costs money and loses a passage: no pipe, no
    /// empty field, only characters of the 7-bit alphabet, a compact Latin plate, whole seconds of at most ten digits.
    /// - Returns: a text of at most ``maximumSeptets`` septets.
    package static func encode(_ passage: SMSPassage) throws(SMSFormatError) -> String {
        try check(passage.checkpostCode, as: .checkpostCode) { SMSField.isCheckpostCodeScalar($0) }
        try check(passage.compactPlate, as: .plate) { $0.isASCIIUppercase || $0.isASCIIDigit }
        try check(passage.rangerPhoneSuffix, as: .phoneSuffix, where: \.isASCIIDigit)
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
    private static let namespace = UUID(
        uuid: (
            0x6F, 0x1C, 0x9A, 0x52, 0x3F, 0x0E, 0x5D, 0x5B, 0x9C, 0x1A, 0x7B, 0x5F, 0x0F, 0x6F, 0x2E, 0x11
        ))

    private static func check(
        _ value: String, as field: SMSField, where isAllowed: (Unicode.Scalar) -> Bool
    ) throws(SMSFormatError) {
        guard !value.isEmpty else { throw .emptyField(field) }
        if let bad = value.unicodeScalars.first(where: { !isAllowed($0) }) {
            throw .forbiddenCharacter(String(bad), in: field)
        }
    }
}

extension SMSField {
    /// Ten digits reach the year 2286 and leave out milliseconds, the usual mistake.
    static let timeRange: ClosedRange<Int64> = 0...9_999_999_999

    /// A checkpost code may have what the 7-bit alphabet has, without the separator and without spaces and line ends, which
    /// gateways trim.
    static func isCheckpostCodeScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "|" && scalar.value > 32 && GSMSeptets.count(of: scalar) != nil
    }
}
