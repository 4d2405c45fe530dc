/// Why a text can't be sent or a PDU can't be read.
package enum PDUError: Error, Hashable, Sendable {
    case badNumber(String)
    case emptyText
    case tooManyParts(Int)
    case notHexadecimal
    case cutShort
    case unknownType(UInt8)
    case badUserData
}

extension PDUError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badNumber(let number): "“\(number)” is no telephone number; write it as +9779812345678"
        case .emptyText: "there is no text to send"
        case .tooManyParts(let count):
            "the text would take \(count) SMS; at most \(SMSSubmit.maximumParts) are sent. Shorten it"
        case .notHexadecimal: "the modem's PDU is not hexadecimal"
        case .cutShort: "the modem's PDU ends too early"
        case .unknownType(let type): "the modem's PDU is of the unknown type \(type)"
        case .badUserData: "the user data of the modem's PDU contradict their length"
        }
    }
}
