import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// What waits for a warden's word: plates that look alike, passages without a partner, and what was said of such before. Every word goes
/// through `checkpost.judge_vehicles` and `checkpost.undo_pair_change`, which judge anew and write down who said it.
struct WorkRoutes: Sendable {
    let warden: Warden

    private static let unmatchedSize = 10
    private static let decidedSize = 20
    private static let uncheckedSize = 20

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/work", method: .get) { request, _ in try await work(request) }
        router.on("/warden/match", method: .get) { request, _ in try await match(request) }
        router.on("/warden/do/pair", method: .post) { request, _ in try await judge(request) }
        router.on("/warden/do/pair/undo", method: .post) { request, _ in try await undo(request) }
    }

    /// As `checkpost.doubtful_pairs` answers.
    private struct Doubtful: Decodable, Sendable {
        var pairs: [[String]]
        var until: Int64?
    }

    private func work(_ request: Request) async throws -> Response {
        let before = request.formQuery.get("before").flatMap { Int64($0) }.flatMap {
            $0.magnitude < 1 << 53 ? $0 : nil
        }
        let isChecked = warden.gateway.settings.wardenFourEyes
        let (visit, found) = try await warden.read(request) { connection, visit in
            let text = try connection.run("select checkpost.doubtful_pairs($1::bigint)", [before.map { "\($0)" }])
                .scalar
            let doubtful = try JSONDecoder().decode(Doubtful.self, from: Data((text ?? #"{"pairs":[]}"#).utf8))
            var search = PassageSearch()
            search.state = .unmatched
            return (
                doubtful: doubtful,
                passages: try PicturedPassage.found(connection, Array(Set(doubtful.pairs.joined()))),
                unmatched: try PassageRow.found(connection, search, limit: Self.unmatchedSize),
                decided: try PairChangeRow.newest(connection, limit: Self.decidedSize),
                unchecked: isChecked && visit.readsAll
                    ? try UncheckedChange.waiting(connection, now: visit.now, limit: Self.uncheckedSize + 1) : [],
                posts: try PostChoice.all(connection)
            )
        }
        let (texts, now) = (visit.texts, visit.now)
        var model: [String: Any] = [:]
        model["pairs"] = found.doubtful.pairs.compactMap { pair -> [String: Any]? in
            guard let entry = found.passages[pair[0]], let exit = found.passages[pair[1]] else { return nil }
            return PairView(entry: entry, exit: exit).model(texts, now: now)
        }
        model["furtherPath"] = found.doubtful.until.map { "/warden/work?before=\($0)" }
        model["isChecked"] = isChecked && visit.readsAll
        let posts = Dictionary(found.posts.map { ($0.id, $0.code) }) { first, _ in first }
        model["isMoreUnchecked"] = found.unchecked.count > Self.uncheckedSize
        model["unchecked"] = found.unchecked.prefix(Self.uncheckedSize).map { $0.model(posts: posts, texts, now: now) }
        model["unmatched"] = found.unmatched.map { PassageView($0, texts, now: now) }
        model["decided"] = found.decided.map { $0.model(texts, now: now) }
        return try warden.show("work", request, visit, model, at: "work")
    }

    /// One passage without a partner, and what may be its partner.
    private func match(_ request: Request) async throws -> Response {
        guard let id = Self.id(request.formQuery.get("id")) else {
            throw PassageRoutes.notFound
        }
        let (visit, found) = try await warden.read(request) { connection, _ in
            let others = try connection.run("select checkpost.match_candidates($1::uuid)", [id]).rows.compactMap(\.[0])
            return (others: others, passages: try PicturedPassage.found(connection, others + [id]))
        }
        guard let own = found.passages[id] else { throw PassageRoutes.notFound }
        let (texts, now) = (visit.texts, visit.now)
        var model: [String: Any] = [
            "passage": PassageView(own.passage, texts, now: now), "isMatched": own.passage.isMatched,
        ]
        model["picture"] = own.picture(texts, now: now)
        model["candidates"] = found.others.compactMap { found.passages[$0] }.map {
            PairView(entry: own, exit: $0).model(texts, now: now)
        }
        return try warden.show("match", request, visit, model, at: "work")
    }

    private static func id(_ text: String?) -> String? {
        text.flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
    }

    private static func id(_ fields: Fields, _ name: String) throws(APIError) -> String {
        guard let id = id(fields[name]) else {
            throw APIError(.unprocessableContent, "error_input", "\(name) is missing")
        }
        return id
    }

    private func judge(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let verdict = fields["verdict"] ?? ""
        guard ["one", "two", "part"].contains(verdict) else {
            throw APIError(.unprocessableContent, "error_input", "There is no such verdict")
        }
        // A match is undone on the page of a passage, where a reason is asked for.
        let isMatch = verdict == "part"
        let usual = isMatch ? nil : Warden.texts(request)["reason_looked"]
        var word = ["verdict": verdict, "reason": try fields.reason(or: usual)]
        for (name, field) in [("id", "change"), ("one", "one"), ("other", "other")] {
            word[name] = try Self.id(fields, field)
        }
        if verdict == "one" {
            guard let plate = fields["plate"], plate.utf8.count <= 40 else {
                throw APIError(.unprocessableContent, "error_plate", "The plate is missing")
            }
            word["plate"] = plate
        }
        try await warden.tell(
            "judge_vehicles", word, request, fields, verdict == "one" ? "join passages" : "part passages")
        let said = verdict == "one" ? "joined" : "parted"
        guard isMatch, let one = word["one"] else { return .redirect(to: "/warden/work?said=" + said) }
        return .redirect(to: "/warden/passage?id=\(one)&said=" + said)
    }

    private func undo(_ request: Request) async throws -> Response {
        let fields = try await warden.form(request)
        let word = [
            "id": try Self.id(fields, "change"), "of": try Self.id(fields, "of"),
            "reason": try fields.reason(or: Warden.texts(request)["reason_undone"]),
        ]
        try await warden.tell("undo_pair_change", word, request, fields, "take back a word about two passages")
        return .redirect(to: "/warden/work?said=undone")
    }
}
