import ArgumentParser
import Modem

struct SMSPDUCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pdu", abstract: "Print what a modem would be given, without a modem.",
        discussion: """
            One line for each part: what `AT+CMGS=` takes, then the PDU in hexadecimal.
            Example: checkpost sms pdu 'V1|BNP-A|BA1PA1234|CAR|1795255530|4321' +9779812345678
            """)

    @Argument(help: "The text. In the 7-bit alphabet when it has every character, otherwise in UCS-2.")
    var text: String

    @Argument(help: "The number, such as +9779812345678.")
    var number: String

    @Flag(help: "Ask for no report of delivery.")
    var noReport = false

    @Flag(help: "Print one JSON object a part, each on one line.")
    var json = false

    private struct PartRow: Encodable {
        let part: Int
        let parts: Int
        let length: Int
        let coding: String
        let pdu: String
    }

    func run() throws {
        let number = try PhoneNumber.argument(number)
        let submit: SMSSubmit
        do {
            submit = try SMSSubmit(to: number, text: text, wantsReport: !noReport)
        } catch {
            throw ValidationError("\(error)")
        }
        for (index, part) in submit.parts.enumerated() {
            if json {
                try Output.printJSON(
                    PartRow(
                        part: index + 1, parts: submit.parts.count, length: part.length,
                        coding: submit.coding == .ucs2 ? "ucs2" : "7bit", pdu: part.hex))
            } else {
                print("AT+CMGS=\(part.length)\n\(part.hex)")
            }
        }
    }
}

extension PhoneNumber {
    /// A number that somebody typed.
    static func argument(_ text: String) throws -> PhoneNumber {
        guard let number = PhoneNumber(text) else {
            throw ValidationError("\"\(text)\" is no telephone number: write it as +9779812345678.")
        }
        return number
    }
}
