import Crypto
import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import TestKit

@testable import Synchronizer

/// One request of a box of some version, and what the server of that version answered. Files of them are in `Tests/Contract/exchanges`.
struct Exchange: Codable {
    /// Whose box: `a` or `b`; nil for somebody without an account.
    var account: String?
    var method: String
    /// With its query.
    var path: String
    var headers: [String: String]
    /// A text; what is none is in base64 (`bytes`).
    var body: String?
    var bytes: String?
    var status: Int
    var answer: String

    /// Stands for a token of whoever asks. Passwords are those of the tests.
    static let token = "TOKEN"
    /// Stands for a signature that is made anew.
    static let signature = "SIGNATURE"
    static let signatureField = "X-Twilio-Signature"

    /// Path without its query, which says what kind of request it is. A photo's name is one passage's.
    var kind: String { Self.kind(method, path) }

    static func kind(_ method: String, _ path: String) -> String {
        let place = String(path.prefix { $0 != "?" })
        return method + " " + (place.hasPrefix(ParkPath.photos) ? ParkPath.photos : place)
    }

    var sent: Data? { bytes.flatMap { Data(base64Encoded: $0) } ?? body.map { Data($0.utf8) } }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Contract/exchanges")

    /// The versions that there are files of.
    static var versions: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.first?.isNumber == true }.sorted()
    }

    static func all(of version: String) throws -> [Exchange] {
        let file = folder.appendingPathComponent(version).appendingPathComponent("exchanges.json")
        return try JSONDecoder().decode([Exchange].self, from: Data(contentsOf: file))
    }
}

/// Keeps what passes.
final class RecordingTransport: SyncTransport {
    private let inner: any SyncTransport
    private let account: String
    private let recorder: ExchangeRecorder

    init(_ inner: any SyncTransport, _ account: String, _ recorder: ExchangeRecorder) {
        (self.inner, self.account, self.recorder) = (inner, account, recorder)
    }

    func perform(_ request: SyncRequest) -> ServerExchange {
        let exchange = inner.perform(request)
        if case .answered(let answer) = exchange { recorder.keep(account, request, answer) }
        return exchange
    }
}

final class ExchangeRecorder {
    private(set) var exchanges: [Exchange] = []

    func keep(_ account: String, _ request: SyncRequest, _ answer: ServerAnswer) {
        var kept = Exchange(
            account: account, method: request.method.rawValue, path: request.path, headers: request.headers,
            status: answer.status, answer: Self.withoutTokens(String(decoding: answer.body, as: UTF8.self)))
        if let body = request.body {
            if let text = String(data: body, encoding: .utf8) {
                kept.body = Self.withoutTokens(text)
            } else {
                kept.bytes = body.base64EncodedString()
            }
        }
        // What is asked again and again is kept once.
        let isRepeated =
            request.method == .get
            && exchanges.contains { $0.account == account && $0.path == kept.path && $0.answer == kept.answer }
        if !isRepeated { exchanges.append(kept) }
    }

    func keep(_ exchange: Exchange) { exchanges.append(exchange) }

    private static func withoutTokens(_ text: String) -> String {
        text.replacing(/"(access_token|refresh_token)"\s*:\s*"[^"]*"/) { "\"\($0.1)\":\"\(Exchange.token)\"" }
    }

    func write(_ version: String) throws {
        let folder = Exchange.folder.appendingPathComponent(version)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(exchanges).write(to: folder.appendingPathComponent("exchanges.json"))
    }
}

extension RealPark {
    /// A text as the SMS provider gives it to the server, signed by its rules: HMAC-SHA1 over the address and the sorted fields.
    func textRequest(_ fields: [String: String]) -> HTTPRequest {
        let address = url + "/functions/v1/sms-webhook"
        let signed = address + fields.sorted { $0.key < $1.key }.map { $0.key + $0.value }.joined()
        let code = HMAC<Insecure.SHA1>.authenticationCode(
            for: Data(signed.utf8), using: SymmetricKey(data: Data(smsToken.utf8)))
        let form = fields.sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        return HTTPRequest(
            .post, Secret(address),
            headers: [
                Exchange.signatureField: Data(code).base64EncodedString(),
                "Content-Type": "application/x-www-form-urlencoded",
            ], body: Data(form.joined(separator: "&").utf8), limits: HTTPLimits(total: .seconds(30)))
    }
}
