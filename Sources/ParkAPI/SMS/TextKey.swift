import Enforcement
import Foundation

/// What a post signs its texts with. The server makes it; it comes to the box by the signed-in link alone.
package struct TextKey: Sendable, Hashable {
    /// The how many-th key of the post it is.
    package let number: Int

    /// 32 bytes.
    let bytes: Data

    /// The highest number of a text that the server has taken from the post: the box goes on behind it.
    package var lastTextNumber: Int64

    /// - Returns: nil when the secret is not 64 hexadecimal digits.
    package init?(number: Int, secret: Secret, lastTextNumber: Int64) {
        let digits = Array(secret.revealed.utf8)
        guard digits.count == 64, number > 0, (0...SignedSMS.numbers.upperBound).contains(lastTextNumber) else {
            return nil
        }
        var bytes = Data()
        for place in stride(from: 0, to: 64, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16),
                digits[place] != UInt8(ascii: "+")
            else { return nil }
            bytes.append(byte)
        }
        (self.number, self.bytes, self.lastTextNumber) = (number, bytes, lastTextNumber)
    }

    package var secret: Secret {
        Secret(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }
}

// A key that is printed must not show itself.
extension TextKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "text key \(number)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

/// What `text_key` answers, and how a box keeps it: which version the server wants, and the key for V2.
package struct TextKeyWord: Codable, Sendable {
    package var version: String
    var number: Int?
    var secret: String?
    var lastTextNumber: Int64?

    enum CodingKeys: String, CodingKey {
        case version, number, secret
        case lastTextNumber = "last_text_number"
    }

    /// - Parameter key: nil: the server wants V1.
    package init(_ key: TextKey?) {
        version = key == nil ? SMSEncoder.version : SignedSMS.version
        number = key?.number
        secret = key?.secret.revealed
        lastTextNumber = key?.lastTextNumber
    }

    /// nil when the server wants V1, a version that this box doesn't know, or the key makes no sense.
    package var key: TextKey? {
        guard version == SignedSMS.version, let number, let secret else { return nil }
        return TextKey(number: number, secret: Secret(secret), lastTextNumber: lastTextNumber ?? 0)
    }
}

extension TextKeyWord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "texts of version \(version)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["version": version]) }
}
