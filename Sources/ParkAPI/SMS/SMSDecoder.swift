import Enforcement
import Foundation

/// Reads the text of an SMS as a passage.
package enum SMSDecoder {
    /// Reads a V1 text with current and older vehicle codes.
    ///
    /// White space around the text is ignored: gateways add a line end. Whoever needs the id of the text computes it over
    /// ``trimmed(_:)``.
    package static func decode(_ text: String) throws(SMSFormatError) -> SMSPassage {
        // 160 septets are at most 160 characters of at most 3 bytes; far more is not worth splitting.
        guard text.utf8.count <= 1024 else { throw .tooLong(septets: text.utf8.count) }
        let text = trimmed(text)
        let fields = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard let version = fields.first, version == SMSEncoder.version else {
            throw .unknownVersion(String((fields.first ?? "").prefix(20)))
        }
        guard fields.count == SMSField.allCases.count else { throw .wrongFieldCount(fields.count) }
        for (field, value) in zip(SMSField.allCases, fields) where value.isEmpty { throw .emptyField(field) }
        try SMSField.checkpostCode.check(fields[1])
        try SMSField.plate.check(fields[2])
        guard let vehicleType = VehicleType(smsCode: fields[3]) else { throw .unknownVehicleCode(fields[3]) }
        let recordedAt = try time(fields[4])
        try SMSField.phoneSuffix.check(fields[5])
        return SMSPassage(
            checkpostCode: fields[1], compactPlate: fields[2], vehicleType: vehicleType, recordedAt: recordedAt,
            rangerPhoneSuffix: fields[5])
    }

    /// The text without the white space that a gateway may have put around it: what the box sent, and what
    /// ``SMSEncoder/clientID(of:)`` is computed over.
    package static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func time(_ text: String) throws(SMSFormatError) -> Instant {
        do throws(SMSFormatError) {
            try SMSField.time.check(text)
        } catch .wrongLength {
            throw .timeOutOfRange(text)
        }
        // No zero in front: one time, one text, one id.
        guard !text.hasPrefix("0"), let seconds = Int64(text), SMSField.timeRange.contains(seconds) else {
            throw .timeOutOfRange(text)
        }
        return Instant(milliseconds: seconds * 1000)
    }
}
