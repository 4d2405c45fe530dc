import Testing

@testable import Modem

@Suite("A PDU at its bounds", .timeLimit(.minutes(10)))
struct PDUBoundsTests {
    /// A delivery whose user data begin with a header; `data` are its length and its octets.
    private func text(coding: String, data: String) throws -> String? {
        guard
            case .delivery(let delivery) = try SMSIncoming(
                hex: "00440D91799718325476F800\(coding)62111225032100\(data)")
        else { return "no delivery" }
        return delivery.text
    }

    @Test func `has its text behind the header, also when nothing is left for it`() throws {
        // Six octets of header are seven septets with one bit to spare; "hi" are two more.
        let septets = try #require(GSMAlphabet.septets(of: "hi"))
        let packed = Hex.text(SeptetPacking.pack(septets, fillBits: 1))
        #expect(try text(coding: "00", data: "09050003420201" + packed) == "hi")
        #expect(try text(coding: "00", data: "0705000342020100") == "")
        #expect(try text(coding: "08", data: "080500034202010928") == "न")
        #expect(try text(coding: "08", data: "06050003420201") == "")
    }

    @Test(arguments: [
        // A header that is as long as all data, or says so of nothing; seven septets of header in six.
        ("08", "06060003420201"), ("08", "00"), ("00", "06050003420201"),
    ])
    func `is refused when its header leaves no room for itself`(coding: String, data: String) {
        #expect(throws: PDUError.badUserData) { try text(coding: coding, data: data) }
    }

    @Test(arguments: [
        ("00", "hi"), ("04", nil), ("20", nil), ("C0", "hi"), ("D0", "hi"), ("F0", "hi"), ("F4", nil), ("80", nil),
    ])
    func `has a text only in an alphabet for texts`(coding: String, expected: String?) throws {
        let septets = try #require(GSMAlphabet.septets(of: "hi"))
        let packed = Hex.text(SeptetPacking.pack(septets))
        let hex = "00040D91799718325476F800\(coding)6211122503210002\(packed)"
        guard case .delivery(let delivery) = try SMSIncoming(hex: hex) else {
            Issue.record("It is a delivery")
            return
        }
        #expect(delivery.text == expected)
    }

    /// Year, month, day, hour, minute, second and quarter hours, digits swapped.
    @Test(arguments: [
        ("62101000000000", 1_767_225_600), ("62211332959500", 1_798_761_599), ("00301000000000", 951_868_800),
        ("62001000000000", nil), ("62311000000000", nil), ("62100000000000", nil), ("62102300000000", nil),
        ("62101042000000", nil), ("62101000060000", nil), ("62101000000600", nil), ("621010000A0000", nil),
        ("62101000A00000", nil), ("621010000000", nil),
    ])
    func `has a time only where there is such a time`(hex: String, seconds: Int64?) throws {
        let octets = try #require(Hex.octets(hex))
        #expect(PDUTimestamp(semiOctets: octets)?.epochSeconds == seconds)
    }

    @Test(arguments: [
        (SendFailure.network(310), true), (.network(318), true), (.network(309), false), (.network(319), false),
        (.network(nil), false), (.equipment(10), true), (.equipment(18), true), (.equipment(9), false),
        (.equipment(19), false), (.equipment(nil), false), (.error, false), (.noAnswer, false),
    ])
    func `was refused for the SIM's sake by the SIM's own codes alone`(failure: SendFailure, isSIM: Bool) {
        #expect(failure.concernsSIM == isSIM)
    }

    @Test(arguments: [
        ("00410042", "AB"), ("002B0039", "+9"), ("0041096609EF", "A०৯"), ("0041", "0041"), ("0041004", "0041004"),
        ("10410042", "10410042"),
        ("0041004G", "0041004G"),
    ])
    func `is taken for UCS-2 only when it can be nothing else`(text: String, expected: String) {
        #expect(GSMModem.fromUCS2(text) == expected)
    }
}
