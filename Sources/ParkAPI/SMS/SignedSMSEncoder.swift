import Enforcement

/// Writes passages as one text of version V2.
package enum SignedSMSEncoder {
    /// Writes `text`, the passages in the order of their times.
    ///
    /// - Returns: a text of at most ``SMSEncoder/maximumSeptets`` septets.
    /// - Throws: for what V1 could not write either, and `tooLong` when there are too many passages for one message.
    package static func encode(_ text: SignedSMS, key: TextKey) throws(SMSFormatError) -> String {
        guard !text.entries.isEmpty else { throw .wrongFieldCount(6) }
        guard SignedSMS.numbers.contains(text.number) else { throw .wrongNumber(String(text.number)) }
        // By the rules of V1, which the server holds each passage to.
        for passage in text.passages { _ = try SMSEncoder.encode(passage) }
        let entries = text.entries.sorted { ($0.recordedAt, $0.compactPlate) < ($1.recordedAt, $1.compactPlate) }
        var last = entries[0].recordedAt.epochSeconds
        var fields = [
            SignedSMS.version, text.checkpostCode, Base36.text(text.number), text.rangerPhoneSuffix, Base36.text(last),
        ]
        for entry in entries {
            let seconds = entry.recordedAt.epochSeconds
            let pause = seconds > last ? Base36.text(seconds - last) : ""
            guard pause.count <= SignedSMS.longestNumber else { throw .timeOutOfRange(String(seconds)) }
            fields.append("\(entry.compactPlate)\(entry.vehicleType.smsLetter)\(entry.clock.smsLetter)\(pause)")
            last = seconds
        }
        let body = fields.joined(separator: ".")
        let written = body + "." + key.signature(of: body)
        guard let septets = GSMSeptets.count(of: written) else {
            throw .forbiddenCharacter(text.checkpostCode, in: .checkpostCode)
        }
        guard septets <= SMSEncoder.maximumSeptets else { throw .tooLong(septets: septets) }
        return written
    }
}
