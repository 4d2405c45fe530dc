import Crypto
import Enforcement
import Foundation
import Testing

@testable import checkpost_server

@Suite("Texts that a gateway of the park's own signs", .serialized, .timeLimit(.minutes(5)))
struct SignedTextTests {
    private static let secret = "a secret that both sides know, of 40 characters"
    private static let body = #"{"from":"+9779800000000","body":"V1|BNP-A|BA1PA1234|CAR|1795255200|0000","id":"7"}"#
    private static let now = Instant(milliseconds: 1_795_300_000_000)

    private static func sign(_ body: String, at time: String, with secret: String = secret) -> String {
        HMAC<SHA256>.authenticationCode(
            for: Data("\(time).\(body)".utf8), using: SymmetricKey(data: Data(secret.utf8))
        ).map { String(format: "%02x", $0) }.joined()
    }

    private static func read(
        _ body: String = body, time: String? = "1795300000", signature: String? = nil
    ) throws(SignedText.Refusal) -> SignedText {
        try SignedText.read(
            Data(body.utf8), time: time, signature: signature ?? sign(body, at: time ?? ""), secret: Secret(secret),
            now: now)
    }

    /// `printf '%s' '1795300000.hello' | openssl dgst -sha256 -hmac KEY` says the same.
    @Test func `are signed as openssl does`() {
        #expect(
            Self.sign("hello", at: "1795300000", with: "key")
                == "6b67d384305def8343b39c71aba964b810469012e56ae0700dc8ae4b38505b05")
    }

    @Test func `are read when they are of now`() throws {
        let text = try Self.read()
        #expect(text.from == "+9779800000000" && text.id == "7" && text.body.hasPrefix("V1|BNP-A|"))
        for time in ["1795299700", "1795300300"] { #expect(throws: Never.self) { try Self.read(time: time) } }
        let upper = Self.sign(Self.body, at: "1795300000").uppercased()
        #expect(throws: Never.self) { try Self.read(signature: upper) }
    }

    @Test(arguments: ["1795299699", "1795300301", "0"])
    func `are refused when they are not of now`(time: String) {
        #expect(throws: SignedText.Refusal.time) { try Self.read(time: time) }
    }

    @Test(
        arguments: [
            nil, "", "-1", "1795300000.5", "99999999999999999999", "9223372036854775807", " 1795300000", "1795300000 ",
        ] as [String?])
    func `are refused without a time`(time: String?) {
        #expect(throws: SignedText.Refusal.signature) { try Self.read(time: time) }
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 64), String(repeating: "é", count: 32),
        String(repeating: "+1", count: 32),
        sign(body, at: "1795300001"), sign(body + " ", at: "1795300000"), sign(body, at: "1795300000", with: "other"),
        sign(body, at: "1795300000") + "00",
    ])
    func `are refused with another signature`(signature: String) {
        #expect(throws: SignedText.Refusal.signature) { try Self.read(signature: signature) }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"from":"+977","body":"x"}"#, #"{"from":"+977","body":"x","id":""}"#,
        #"{"from":1,"body":"x","id":"1"}"#,
        #"{"from":"+977","body":"x","id":""# + String(repeating: "9", count: 101) + #""}"#,
    ])
    func `are refused when they are none`(body: String) {
        #expect(throws: SignedText.Refusal.content) { try Self.read(body) }
    }

    @Test func `make a passage once, and keep what is refused for the warden`() async throws {
        @Sendable func send(_ server: TestServer, _ body: String, secret: String = Self.secret) async throws
            -> TestServer.Answer
        {
            let time = "\(Int(Date().timeIntervalSince1970))"
            return try await server.send(
                "POST", "/functions/v1/sms-inbox", as: nil,
                [SignedText.timeField: time, SignedText.signatureField: Self.sign(body, at: time, with: secret)],
                body: Data(body.utf8))
        }
        try await TestServer.run { server, _ in
            let answer = try await send(server, Self.body)
            #expect(answer.status == 403, "nobody set a secret")
        }
        try await TestServer.run({ $0.smsInboxSecret = Secret(Self.secret) }) { server, database in
            #expect(try await send(server, Self.body, secret: "other").status == 403)
            #expect(try await send(server, "{}").status == 400)
            let first = try await send(server, Self.body)
            #expect(first.status == 200 && first.object["result"] as? String == "inserted", "\(first.text)")
            #expect(try await send(server, Self.body).object["result"] as? String == "repeated")
            let other = #"{"from":"a\u0000b","body":"hello\u0000","id":"8"}"#
            #expect(try await send(server, other).object["result"] as? String == "refused")
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "1")
            #expect(try database.owner.value("select count(*) from sms_messages") == "2")
            #expect(try await server.send("GET", "/functions/v1/sms-inbox", as: nil).status == 405)
        }
    }
}
