import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("Nonsense from clients", .timeLimit(.minutes(10)))
struct FuzzTests {
    private static let columns = [
        "id", "client_id", "plate_number", "recorded_at", "is_entry", "confidence", "server_seq", "settings", "x",
        "value",
    ]
    private static let operators = [
        "eq", "neq", "gt", "lte", "like", "ilike", "is", "in", "not.eq", "not.in", "not.is", "fts",
    ]
    private static let values = [
        "1", "null", "true", "(1,2)", "()", "(%22a%5C%22b%22,c)", "*", "%25", "%00", "%F0%9F%98%80", "infinity", "NaN",
        "1e400", "99999999999999999999", "%7B%7D", "%5C", "'", "%22", "(null)", "now", "%27%3B--",
    ]
    private static let selections = [
        "*", "id", "id,id", "a:id", "checkposts(*)", "vehicle_passages(*)", "violations(*)", "(", ")", "id,", "!",
        "a!b!c(d)", "highway_segments(checkposts(*))", "entry:vehicle_passages!entry_passage_id(*)", "id::text", "",
    ]
    private static let bodies = [
        "{}", "[]", "[{}]", "[{},{}]", "null", "1", #"{"id":null}"#, #"{"plate_number":"\ud800"}"#,
        #"{"recorded_at":"infinity"}"#, #"{"confidence":1e400}"#, #"{"distance_km":1e30}"#, #"{"a":{"b":[1,2]}}"#,
        #"{"key":"matching.window_hours","value":"x"}"#, #"{"":1}"#, #"{"id":"x""#, #"{"name":"n","code":"c"}"#,
    ]
    private static let headers: [[String: String]] = [
        [:], ["Prefer": "return=representation"], ["Prefer": ","], ["Accept": ";,;"], ["Accept": ","], ["Range": "5-0"],
        ["Prefer": "return=representation,resolution=merge-duplicates,missing=default"], ["Range": "99999999999-"],
        ["Prefer": "resolution=ignore-duplicates,return=headers-only"], ["Prefer": "count=exact"], ["Range": "-"],
        ["Accept": "application/vnd.pgrst.object+json"], ["Authorization": "Bearer"], ["Authorization": "Bearer ..."],
    ]
    private static let extras = [
        "limit=0", "limit=-1", "offset=1000000000", "order=id.desc", "order=.", "or=(id.eq.1)", "or=(a", "not.and=()",
        "on_conflict=id", "on_conflict=nope", "columns=id", "columns=", "checkposts.id=eq.1", ".=1", "=", "..a..=eq.1",
    ]

    @Test(arguments: [UInt64(1), 2])
    func `never ends the server and never gets a 500`(seed: UInt64) async throws {
        try await TestServer.run { server, database in
            let tables = AccessTests.tables + ["nope"]
            var generator = SeededGenerator(seed: seed)
            func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.next() % UInt64(values.count))] }
            for round in 0..<250 {
                var query: [String] = []
                for _ in 0..<generator.next() % 3 {
                    query.append("\(pick(Self.columns))=\(pick(Self.operators)).\(pick(Self.values))")
                }
                if generator.next() % 2 == 0 { query.append("select=\(pick(Self.selections))") }
                if generator.next() % 2 == 0 { query.append(pick(Self.extras)) }
                let method = pick(["GET", "HEAD", "POST", "PATCH", "DELETE"])
                let path = "/rest/v1/\(pick(tables))?\(query.joined(separator: "&"))"
                let body = method == "POST" || method == "PATCH" ? Data(pick(Self.bodies).utf8) : nil
                let answer = try await server.send(
                    method, path, as: pick(["a", "service", "anon"]), pick(Self.headers), body: body)
                #expect(answer.status < 500, "seed \(seed), round \(round): \(method) \(path): \(answer.text)")
            }
            #expect(try await server.send("GET", "/health", as: nil).status == 200)
        }
    }
}
