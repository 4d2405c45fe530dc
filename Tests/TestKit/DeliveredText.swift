import Foundation

/// A text as the network delivers it, in UCS-2: what `AT+CMGL` lists of it.
package struct DeliveredText {
    private static let centre = "07917283010010F5"
    package let line: String

    package init(_ text: String, from digits: String, index: Int) {
        let padded = digits.count % 2 == 0 ? digits : digits + "F"
        let pairs = stride(from: 0, to: padded.count, by: 2).map { at in
            String(padded.dropFirst(at).prefix(2).reversed())
        }.joined()
        let words = text.utf16.map { String(format: "%04X", $0) }.joined()
        let body =
            "04" + String(format: "%02X", digits.count) + "91" + pairs + "0008" + "62111220000080"
            + String(format: "%02X", words.count / 2) + words
        line = "  < +CMGL: \(index),0,,\(body.count / 2)\n  raw \(Self.centre)\(body)\\r\\n\n"
    }
}
