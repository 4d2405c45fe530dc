import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import ParkAPI

/// `/functions/v1/…`: what a client may ask for beyond reading and writing rows. The rules are functions in SQL.
package struct FunctionHandler: Sendable {
    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on(Self.path(.matchPassage), method: .post) { request, _ in try await matchPassage(request) }
        router.on(Self.path(.checkOverstay), method: .post) { request, _ in try await checkOverstay(request) }
        router.on(Self.path(.createRanger), method: .post) { request, _ in
            try await call(.createRanger, request, status: .created)
        }
        router.on(Self.path(.changePassage), method: .post) { request, _ in try await call(.changePassage, request) }
        router.on(Self.path(.resolveAlert), method: .post) { request, _ in try await call(.resolveAlert, request) }
        router.on(Self.path(.addEvidence), method: .post) { request, _ in try await addEvidence(request) }
        router.on(Self.path(.receiveSMS), method: .post) { request, _ in try await receiveSMS(request) }
        router.on("/functions/v1/sms-inbox", method: .post) { request, _ in try await receiveSigned(request) }
    }

    private static func path(_ function: ParkFunction) -> RouterPath {
        RouterPath(function.path ?? function.databasePath)
    }

    private func matchPassage(_ request: Request) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        guard let pair = try await gateway.jsonObject(request, as: MatchQuestion.self) else {
            let names = MatchQuestion.CodingKeys.allCases.map(\.rawValue).joined(separator: " and ")
            throw APIError(.badRequest, "400", "\(names) are UUIDs")
        }
        let (one, other) = (pair.entry.uuidString, pair.exit.uuidString)
        let answer = try await gateway.transaction(as: caller) { connection in
            try connection.run(
                "select checkpost.match_passage($1::uuid, $2::uuid)", [one, other]
            ).scalar
        }
        gateway.journal.changed("match-passage", rows: [one, other], by: caller)
        return json(text: answer ?? "{}")
    }

    private func checkOverstay(_ request: Request) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let count = try await gateway.transaction(as: caller) { connection in
            try connection.run("select checkpost.check_overstay()").scalar
        }
        return try json(["alerts_created": count.flatMap(Int.init) ?? 0])
    }

    /// Hands the body, a JSON object, to one of our functions in SQL, which checks it.
    private func call(
        _ function: ParkFunction, _ request: Request, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let object = try await gateway.jsonObject(request)
        let fields = try JSONValue.object(object).text()
        let answer = try await gateway.transaction(as: caller) { connection in
            try connection.run(
                "select checkpost.\(function.databaseName)($1::jsonb)", [fields]
            ).scalar
        }
        let row = [PassageChange.CodingKeys.clientID.rawValue, "username"].lazy.compactMap { object[$0]?.string }
            .first
        gateway.journal.changed(function.databaseName, rows: row.map { [$0] } ?? [], count: 1, by: caller)
        return json(text: answer ?? "{}", status: status)
    }

    /// A post's evidence chain. SQL can't check a signature of Ed25519, so it is told here whether each holds.
    private func addEvidence(_ request: Request) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let parcel = try await gateway.jsonObject(request, limit: Self.evidenceBytes, as: EvidenceParcel.self)
        guard let parcel, (1...EvidenceParcel.most).contains(parcel.entries.count) else {
            throw APIError(.badRequest, "400", "entries is a list of 1 to \(EvidenceParcel.most) with a text each")
        }
        let checked = parcel.entries.map {
            CheckedEvidence(text: $0.text, key: $0.key, signature: $0.signature, holds: $0.isSigned)
        }
        let rows = String(decoding: try JSONEncoder().encode(checked), as: UTF8.self)
        let answer = try await gateway.transaction(as: caller) { connection in
            try connection.run("select checkpost.add_evidence($1::jsonb)", [rows]).scalar
        }
        return json(text: answer ?? "{}")
    }

    private static let evidenceBytes = 262_144

    /// An entry with what the gateway says of it.
    private struct CheckedEvidence: Encodable {
        var text: String
        var key: String?
        var signature: String?
        var holds: Bool
    }

    /// Twilio's webhook: signed with the auth token instead of an account's key.
    private func receiveSMS(_ request: Request) async throws -> Response {
        let data = try await gateway.body(request, limit: min(gateway.settings.bodyBytes, 65_536))
        let refusal = APIError(.forbidden, "403", "The signature is not valid")
        guard let token = gateway.settings.smsAuthToken else {
            gateway.log.warning("An SMS was refused: sms.auth_token is not set.")
            throw refusal
        }
        guard let text = String(data: data, encoding: .utf8), let form = try? QueryString(text),
            let signature = request.headers[.twilioSignature],
            TwilioSignature(authToken: token).isValid(signature, url: publicURL(request), fields: form.items)
        else { throw refusal }
        let message = form.items.first { $0.name == "Body" }?.value ?? ""
        let sender = form.items.first { $0.name == "From" }?.value
        let sid = form.items.first { $0.name == "MessageSid" }?.value
        _ = try await TextInbox(gateway: gateway).receive(message, from: sender, id: sid, by: "twilio")
        return Response(
            status: .ok, headers: [.contentType: "text/xml; charset=utf-8"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: #"<?xml version="1.0" encoding="UTF-8"?><Response></Response>"#)))
    }

    /// A gateway of the park's own choice, which signs with a secret that both know.
    private func receiveSigned(_ request: Request) async throws -> Response {
        let data = try await gateway.body(request, limit: min(gateway.settings.bodyBytes, 16_384))
        guard let secret = gateway.settings.smsInboxSecret else {
            gateway.log.warning("An SMS was refused: sms.inbox_secret is not set.")
            throw APIError(.forbidden, "403", "The signature is not valid")
        }
        let text: SignedText
        do throws(SignedText.Refusal) {
            text = try SignedText.read(
                data, time: request.headers[.textTime], signature: request.headers[.textSignature], secret: secret,
                now: Warden.now)
        } catch .content {
            throw APIError(.badRequest, "400", "The body is JSON with from, body and id")
        } catch .time {
            throw APIError(.forbidden, "403", "The signature is older than five minutes, or a clock is wrong")
        } catch {
            throw APIError(.forbidden, "403", "The signature is not valid")
        }
        let result = try await TextInbox(gateway: gateway).receive(
            text.body, from: text.from, id: text.id, by: "inbox")
        return try json(["result": result])
    }

    /// The URL that was signed: the setting, or the one that this request came to.
    private func publicURL(_ request: Request) -> String {
        if let url = gateway.settings.smsPublicURL { return url }
        let scheme = request.headers[.forwardedProto] == "https" ? "https" : "http"
        return "\(scheme)://\(request.head.authority ?? "")\(request.head.path ?? "")"
    }
}
