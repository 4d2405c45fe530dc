import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Ranger
import Storage

/// What programs read. What they do is in `Action`.
struct APIRoutes: Sendable {
    let console: Console
    let pages: PageRoutes

    func add(to router: Router<ConsoleContext>) {
        router.get("/api") { _, context in try await documentation(context) }
        read(router, "session") { _, context in
            let active = try context.user()
            return json(["user": active.user.name, "role": active.user.role.rawValue, "form_token": active.formToken])
        }
        read(router, "status") { _, context in try await status(context) }
        read(router, "counts") { _, context in
            json([
                "review_count": try console.store.figures.now().waitingForReview,
                "alert_count": try console.alerts.open(at: console.now).count,
            ])
        }
        read(router, "live") { request, _ in live(request) }
        read(router, "keys") { request, _ in
            let query = request.uri.queryParameters
            // By scalars: a vowel sign after a space would be one character with it.
            let keys = (query.get("keys").map { String($0) } ?? "").unicodeScalars.split(separator: " ").prefix(100)
                .map { String($0) }
            let text = query.get("text").map { String($0) } ?? ""
            return json(PlateBeginning.keys(keys, after: text, in: console.configuration.country))
        }
        read(router, "plate") { request, _ in try plate(request) }
        read(router, "passages") { request, context in
            let query = request.uri.queryParameters
            let limit = query.get("limit").flatMap { Int($0) }.map { min(max(1, $0), 500) } ?? 50
            let offset = query.get("offset").flatMap { Int($0) }.map { min(max(0, $0), 1_000_000) } ?? 0
            let found = try console.store.passages.road(
                HistoryRoutes.filter(request), of: HistoryRoutes.posts(request, else: .own), limit: limit,
                offset: offset)
            return json(found.map { PassageView($0, context.texts) })
        }
        read(router, "reviews") { request, context in
            if let id = request.uri.queryParameters.get("id") {
                guard let found = try console.store.sightings.sighting(id: id), found.state == .review else {
                    throw ConsoleError.notFound
                }
                return json([try console.review(found, context.texts)])
            }
            let isDiscarded = request.uri.queryParameters.get("discarded") == "1"
            let limit = request.uri.queryParameters.get("limit").flatMap { Int($0) }.map { min(max(1, $0), 500) } ?? 100
            let found =
                try isDiscarded
                ? console.store.sightings.discardedByRangers(limit: limit)
                : console.store.sightings.list(
                    in: .review, limit: limit, newestFirst: request.uri.queryParameters.get("newest") == "1")
            return json(try found.map { try console.review($0, context.texts, measured: false) })
        }
        read(router, "alerts") { request, context in
            let withPictures = request.uri.queryParameters.get("pictures") != "0"
            return json(
                console.alertViews(
                    try console.alerts.open(at: console.now), context.texts, withPictures: withPictures))
        }
        read(router, "violations") { _, context in
            let found = try console.store.violations.list(limit: 100).map {
                try console.alert($0.violation, raisedAt: $0.createdAt)
            }
            return json(console.alertViews(found, context.texts))
        }
        read(router, "overstays") { request, context in
            let withPictures = request.uri.queryParameters.get("pictures") != "0"
            let open = try console.openOverstays()
            return json(console.alertViews(try open.map(console.alert), context.texts, withPictures: withPictures))
        }
        addLists(to: router)
        router.get("/api/events") { request, context in try events(request, context) }
        router.post(.init(Self.shownPath)) { request, context in try await shown(request, context) }
        router.post("/api/read") { request, context in try await readPicture(request, context) }
        for action in Action.all {
            router.post("/api/\(action.path)") { request, context in
                _ = try context.user()
                return json(try await pages.run(action, try await Fields(request), request, context).done.answer)
            }
        }
    }

    func read(
        _ router: Router<ConsoleContext>, _ name: String,
        _ answer: @escaping @Sendable (Request, ConsoleContext) async throws -> Response
    ) {
        router.get("/api/\(name)") { request, context in
            _ = try context.user()
            return try await answer(request, context)
        }
    }

    /// Where a page says that an alert is on a screen before somebody's eyes.
    static let shownPath = "/api/alerts/shown"

    private func shown(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        if !context.isAtPost { _ = try context.user() }
        let parts = (try await Fields(request)["id"] ?? "").split(separator: "/", maxSplits: 1)
        if parts.count == 2, parts[0] == "violation", let id = UUID(uuidString: String(parts[1])) {
            try console.store.deliveries.note(violation: id, shownAt: console.now)
        }
        return json([String: String]())
    }

    private func status(_ context: ConsoleContext) async throws -> Response {
        struct Status: Encodable {
            let post: String
            let appliance: ConsoleStatus
            let today: CountsView
            let chips: [StatusView.Chip]
            let reviewCount: Int
            let alertCount: Int
            let readers: Int
            let overflow: Int
            let now: String
            let revisions: Revisions
        }
        // Before anything else is read: what comes in between has a newer one.
        let revisions = try Revisions(console.store)
        let view = try await console.statusView(context.texts)
        return json(
            Status(
                post: console.post.code, appliance: await console.host.status(), today: try console.counts(),
                chips: view.chips, reviewCount: view.reviewCount, alertCount: view.alertCount,
                readers: console.hub.readerCount, overflow: console.hub.overflowCount, now: console.now.iso8601,
                revisions: revisions))
    }

    private func live(_ request: Request) -> Response {
        struct Plate: Encodable {
            let plate: String
            let confidence: Double
            let box: Box
        }
        struct Live: Encodable {
            var camera = ""
            var number = 0
            var width = 0
            var height = 0
            var plates: [Plate] = []
            var recordedAt: String?
            var ageMs: Int64 = 0
            var ageText = ""
            var isOld = false
            var onMotion = false
        }
        let camera = request.uri.queryParameters.get("camera").map { String($0) } ?? ""
        guard let picture = console.live[camera] ?? console.live.newest else { return json(Live()) }
        let age = console.now - picture.arrivedAt
        let onMotion = console.host.sendsOnMotion(picture.camera)
        let texts = Texts.of(request.cookies["checkpost_language"]?.value)
        return json(
            Live(
                camera: picture.camera, number: picture.number, width: picture.width, height: picture.height,
                plates: picture.plates.map {
                    Plate(plate: $0.plate.canonical, confidence: $0.confidence, box: $0.box)
                },
                recordedAt: picture.frame.recordedAt.iso8601, ageMs: max(0, age.milliseconds),
                ageText: texts.span(age), isOld: age > Sighting.oldPicture && !onMotion, onMotion: onMotion))
    }

    private func plate(_ request: Request) throws -> Response {
        guard let text = request.uri.queryParameters.get("text"),
            let plate = try? PlateNormalizer.plate(typed: String(text))
        else { throw ConsoleError(.unprocessableContent, "error_plate") }
        struct Typed: Encodable {
            let plate: String
            let script: String?
            let compact: String
            let vehicleType: String
            let parts: [PlateParts.Part]
        }
        // With the characters that were read, the parts offer what the reader thought of as well.
        let id = request.uri.queryParameters.get("review").map { String($0) }
        let read = try id.flatMap { try console.store.sightings.sighting(id: $0)?.sighting.reading }
        var reading = read ?? .nothing
        reading.plate = plate
        return json(
            Typed(
                plate: plate.canonical, script: PlateSpelling.shown(plate, raw: String(text)), compact: plate.compact,
                vehicleType: VehicleType.guess(of: plate).rawValue,
                parts: PlateParts(reading).parts))
    }

    /// The largest picture that is read for a technician.
    static let maximumPictureBytes = 10 << 20

    private func readPicture(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        struct Plate: Encodable {
            let plate: String
            let raw: String
            let confidence: Double
            let format: String
            let box: Box
        }
        struct Answer: Encodable {
            let width: Int
            let height: Int
            let ms: Double
            let plates: [Plate]
        }
        let active = try context.user()
        guard HTTPField.Name("X-Form-Token").flatMap({ request.headers[$0] }) != nil else {
            throw ConsoleError(.forbidden, "error_form")
        }
        guard active.user.role == .technician else { throw ConsoleError.forbidden }
        let picture = try await Fields.body(of: request, limit: Self.maximumPictureBytes)
        let reading: ConsoleReading
        do {
            reading = try await console.host.read(picture)
        } catch {
            throw ConsoleError(.unprocessableContent, "error_picture", detail: "\(error)")
        }
        return json(
            Answer(
                width: reading.width, height: reading.height, ms: reading.milliseconds,
                plates: reading.readings.map {
                    Plate(
                        plate: $0.plate.canonical, raw: $0.raw, confidence: $0.confidence, format: $0.format,
                        box: $0.box)
                }))
    }

    private func documentation(_ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let routes =
            Self.readings.map { ["method": "GET", "path": "/api/" + $0.0, "help": $0.1, "fields": ""] }
            + [
                [
                    "method": "POST", "path": "/api/sign-in", "help": "Sign in; the answer sets the cookie.",
                    "fields": "user, password (or pin, at the post's own screen)",
                ],
                ["method": "POST", "path": "/api/sign-out", "help": "Sign out.", "fields": ""],
                [
                    "method": "POST", "path": "/api/read",
                    "help": "Read a picture, which is the body (10 MB at most). Nothing is recorded. For technicians.",
                    "fields": "",
                ],
            ]
            + Action.all.map {
                [
                    "method": "POST", "path": "/api/" + $0.path,
                    "help": $0.help + ($0.isForTechnician ? " For technicians." : ""), "fields": $0.fields,
                ]
            }
        return console.page(
            "api", context, ["routes": routes.map { route in route.filter { !$0.value.isEmpty } }],
            state: try await console.statusView(context.texts))
    }
}
