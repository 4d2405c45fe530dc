import Enforcement
import Foundation

/// Reads a text of version V2.
package enum SignedSMSDecoder {
    /// Reads a text whose signature one of these keys has made.
    ///
    /// - Throws: `wrongSignature` when none has. What it says then counts for nothing.
    package static func decode(_ text: String, keys: [TextKey]) throws(SMSFormatError) -> SignedSMS {
        let read = try readUnchecked(text)
        // Every key is tried, so that the time taken tells nothing of them.
        guard let (body, signature) = TextSignature.parts(of: SMSDecoder.trimmed(text)) else { throw .wrongSignature }
        let isSigned = keys.map { $0.hasMade(signature, of: body) }
        guard isSigned.contains(true) else { throw .wrongSignature }
        return read
    }

    /// Reads what a text says, whoever wrote it: to show it.
    package static func readUnchecked(_ text: String) throws(SMSFormatError) -> SignedSMS {
        guard text.utf8.count <= 1024 else { throw .tooLong(septets: text.utf8.count) }
        let text = SMSDecoder.trimmed(text)
        guard text.hasPrefix(SignedSMS.mark) else { throw .unknownVersion(String(text.prefix(20))) }
        guard text.unicodeScalars.count <= SMSEncoder.maximumSeptets else {
            throw .tooLong(septets: text.unicodeScalars.count)
        }
        let fields = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 7 else { throw .wrongFieldCount(fields.count) }
        guard let number = number(fields[2]) else { throw .wrongNumber(fields[2]) }
        guard (6...7).contains(fields[4].count), var seconds = Base36.number(fields[4], longest: 7) else {
            throw .timeOutOfRange(fields[4])
        }
        var entries: [SignedSMS.Entry] = []
        for field in fields[5..<(fields.count - 1)] {
            let (entry, pause) = try read(field)
            seconds += pause
            entries.append(entry(Instant(milliseconds: seconds * 1000)))
        }
        guard TextSignature.parts(of: text) != nil else { throw .wrongSignature }
        let signed = SignedSMS(
            checkpostCode: fields[1], number: number, rangerPhoneSuffix: fields[3], entries: entries)
        for passage in signed.passages { _ = try SMSEncoder.encode(passage) }
        return signed
    }

    private static func number(_ text: String) -> Int64? { Base36.number(text, longest: SignedSMS.longestNumber) }

    /// - Returns: what makes an entry of a time, and the seconds since the entry before.
    private static func read(_ field: String) throws(SMSFormatError) -> ((Instant) -> SignedSMS.Entry, Int64) {
        let plate = field.prefix { $0.isASCII && ($0.isNumber || $0.isUppercase) }
        var rest = field.dropFirst(plate.count)
        guard let type = rest.popFirst().flatMap({ VehicleType(smsLetter: $0) }) else { throw .wrongPassage(field) }
        let letter = rest.first.map(String.init) ?? ""
        let clock = ClockState.allCases.first { $0.smsLetter == letter && !letter.isEmpty } ?? .synchronised
        rest = rest.dropFirst(clock.smsLetter.count)
        var pause: Int64 = 0
        if !rest.isEmpty {
            guard let seconds = number(String(rest)) else { throw .wrongPassage(field) }
            pause = seconds
        }
        return (
            {
                SignedSMS.Entry(compactPlate: String(plate), vehicleType: type, recordedAt: $0, clock: clock)
            }, pause
        )
    }
}

extension SMSDecoder {
    /// What a text of either version says, whoever wrote it: to show it.
    package static func passages(in text: String) throws(SMSFormatError) -> [SMSPassage] {
        if trimmed(text).hasPrefix(SignedSMS.mark) { return try SignedSMSDecoder.readUnchecked(text).passages }
        return [try decode(text)]
    }
}
