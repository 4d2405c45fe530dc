import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import TestKit

@testable import Synchronizer

/// Sends what a box has sent once. Ids that the server gave then are replaced by those that it gives now, and so are tokens.
final class ReplayedBox {
    private let park: RealPark
    private let connection = HTTPConnection()
    private var tokens: [String: (access: String, refresh: String)] = [:]
    private var ids: [String: String] = [:]

    init(_ park: RealPark) { self.park = park }

    func ask(_ exchange: Exchange) throws -> HTTPAnswer {
        let answer = try connection.perform(try request(exchange))
        let (was, now) = (try? JSONValue(Data(exchange.answer.utf8)), try? JSONValue(answer.body))
        if let was, let now {
            learn(was, now)
            if let account = exchange.account, let access = now.fields?["access_token"]?.string,
                let refresh = now.fields?["refresh_token"]?.string
            {
                tokens[account] = (access, refresh)
            }
        }
        return answer
    }

    private func request(_ exchange: Exchange) throws -> HTTPRequest {
        if exchange.headers[Exchange.signatureField] != nil {
            // Signed anew: the address is another one.
            let fields = (exchange.body ?? "").split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
            return park.textRequest(
                Dictionary(
                    fields.map { (String($0[0]), $0.count > 1 ? String($0[1]).removingPercentEncoding ?? "" : "") }
                ) { $1 })
        }
        let token = exchange.account.flatMap { tokens[$0] }
        var body = exchange.sent
        if let text = exchange.body {
            body = Data(renamed(text).replacing(Exchange.token, with: token?.refresh ?? "").utf8)
        }
        guard let method = HTTPRequest.Method(rawValue: exchange.method) else { throw URLError(.badURL) }
        var request = HTTPRequest(
            method, HTTPAddress.url(park.url, renamed(exchange.path)), headers: exchange.headers, body: body)
        request.apiKey = Secret(park.key)
        request.bearer = Secret(exchange.path.hasPrefix(ParkPath.signIn) ? park.key : token?.access ?? park.key)
        return request
    }

    private func renamed(_ text: String) -> String {
        text.replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) { ids[String($0.0)] ?? String($0.0) }
    }

    /// Texts at the same place of both answers are the same thing; where they are ids, one stands for the other.
    private func learn(_ was: JSONValue, _ now: JSONValue) {
        if let old = was.string, let new = now.string {
            if old != new, UUID(uuidString: old) != nil, UUID(uuidString: new) != nil, ids[old] == nil {
                ids[old] = new
            }
        } else if let old = was.items, let new = now.items {
            for (old, new) in zip(old, new) { learn(old, new) }
        } else if let old = was.fields, let new = now.fields {
            for (name, value) in old { if let other = new[name] { learn(value, other) } }
        }
    }
}

/// Whether an answer has what another one had.
enum RecordedShape {
    /// What a former answer had, by its place, and this one has not: fields, items of a list, or values of another kind.
    static func missing(_ was: JSONValue, _ now: JSONValue, at place: String = "") -> [String] {
        if let old = was.fields {
            guard let new = now.fields else { return ["\(place): no object"] }
            return old.keys.sorted().flatMap { name -> [String] in
                guard let value = old[name] else { return [] }
                guard let other = new[name] else { return ["\(place).\(name)"] }
                return missing(value, other, at: "\(place).\(name)")
            }
        }
        if let old = was.items {
            guard let new = now.items, new.count >= old.count else { return ["\(place): too few"] }
            return zip(old, new).flatMap { missing($0, $1, at: place + "[]") }
        }
        if was.string != nil, now.string == nil { return ["\(place): no text"] }
        return []
    }
}

extension JSONValue {
    fileprivate var items: [JSONValue]? { if case .list(let items) = self { items } else { nil } }
}
