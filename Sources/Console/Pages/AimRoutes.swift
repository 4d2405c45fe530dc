import Enforcement
import Foundation
import Hummingbird
import Pages

/// The page on which a technician sets a camera: what the reader sees in the newest picture, and what stands against its being read.
struct AimRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/aim") { request, context in
            guard try context.user().user.role == .technician else { throw ConsoleError.forbidden }
            return try await page(camera(request), request, context)
        }
        router.get("/api/aim") { request, context in
            guard try context.user().user.role == .technician else { throw ConsoleError.forbidden }
            let camera = camera(request)
            guard await console.host.status().cameras.contains(where: { $0.name == camera }) else {
                throw ConsoleError.notFound
            }
            return try await look(camera, Texts.of(request.cookies["checkpost_language"]?.value))
        }
    }

    private func camera(_ request: Request) -> String {
        request.formQuery.get("camera") ?? ""
    }

    private func page(_ camera: String, _ request: Request, _ context: ConsoleContext) async throws -> Response {
        let texts = context.texts
        let names = await console.host.status().cameras.map(\.name)
        guard let chosen = camera.isEmpty ? names.first : names.first(where: { $0 == camera }) else {
            throw ConsoleError.notFound
        }
        let drawn = try console.store.cameraMasks.mask(of: chosen)
        let state = drawn.map {
            texts("aim_mask_drawn", ["name": $0.changedBy, "time": texts.short($0.changedAt, now: console.now)])
        }
        let approaching = console.host.approaching(of: chosen)?.rawValue ?? "unset"
        let model: [String: Any] = [
            "ways": try ways(of: chosen, texts), "waysSetting": texts["aim_ways_" + approaching],
            "camera": chosen, "mask": (drawn?.mask ?? console.host.mask(of: chosen)).text, "isDrawn": drawn != nil,
            "maskState": state ?? texts["aim_mask_configured"], "hasOthers": names.count > 1,
            "cameras": names.map { Choice(value: $0, text: $0, isChosen: $0 == chosen) },
            "guides": texts["aim_guides"].split(separator: "|").map(String.init),
        ]
        return console.page(
            "aim", context, model, at: "technician", state: try await console.statusView(texts),
            said: SaidView(request, console, texts))
    }

    /// What of a picture the page shows. Numbers are in pixels of the picture.
    private struct Look: Encodable {
        struct Sight: Encodable {
            let box: Box
            let plate: String
            let confidence: Double
            let glyphHeight: Double
            let edgeWidth: Double
            let mostEdge: Double
            let contrast: Double
            let brightness: Double
            let burntShare: Double
            let isGood: Bool
            let problems: [AimProblem]

            /// What was read, and what is to be done about each problem, in the reader's language.
            let says: [String]
        }

        let camera: String
        var number = 0
        var width = 0
        var height = 0
        var ageMs: Int64 = 0
        var isOld = false
        var verdict = "nothing"
        var verdictText = ""
        var sights: [Sight] = []

        /// Which way the last vehicles went: a sum, and each of them.
        var ways: [String] = []
    }

    private static let mostWays = 20
    private static let mostWaysListed = 6

    private func ways(of camera: String, _ texts: Texts) throws -> [String] {
        let seen = try console.store.sightings.courses(of: camera, limit: Self.mostWays)
        guard !seen.isEmpty else { return [texts["aim_ways_none"]] }
        func count(_ course: Course?) -> String { texts.digits("\(seen.count { $0.course == course })") }
        let sum = texts(
            "aim_ways_sum",
            [
                "all": texts.digits("\(seen.count)"), "approaching": count(.approaching), "receding": count(.receding),
                "unknown": count(nil),
            ])
        let each = seen.prefix(Self.mostWaysListed).map { vehicle in
            let plate = vehicle.plate.compact.isEmpty ? texts["plate_not_read"] : vehicle.plate.canonical
            let course = texts["aim_" + (vehicle.course?.rawValue ?? "course_unknown")]
            let travel = vehicle.travel.map { " · " + texts["travel_" + $0.rawValue] } ?? ""
            return "\(texts.clock(vehicle.seenAt)) \(plate): \(course)\(travel)"
        }
        return [sum] + each
    }

    private func look(_ camera: String, _ texts: Texts) async throws -> Response {
        var look = Look(camera: camera)
        look.ways = try ways(of: camera, texts)
        guard let picture = console.live[camera] else {
            look.verdictText = texts["no_picture"]
            return json(look)
        }
        let seen: ConsoleLook
        do {
            seen = try await console.host.look(at: picture.frame.picture, of: camera)
        } catch {
            look.verdictText = texts("aim_unreadable", ["reason": "\(error)"])
            return json(look)
        }
        let age = console.now - picture.arrivedAt
        (look.number, look.width, look.height) = (picture.number, seen.width, seen.height)
        look.ageMs = max(0, age.milliseconds)
        look.isOld = age > Sighting.oldPicture && !console.host.sendsOnMotion(camera)
        look.sights = seen.sights.map { sight in
            Look.Sight(
                box: sight.box, plate: sight.reading.plate.canonical, confidence: sight.reading.confidence,
                glyphHeight: sight.glyphHeight, edgeWidth: sight.edgeWidth, mostEdge: sight.mostEdge,
                contrast: sight.contrast, brightness: sight.brightness, burntShare: sight.burntShare,
                isGood: sight.isGood, problems: sight.problems, says: Self.says(sight, texts))
        }
        if look.isOld {
            look.verdict = "problem"
            look.verdictText = texts("picture_old", ["age": texts.span(age)])
        } else if let first = seen.sights.first {
            look.verdict = first.isGood ? "good" : "problem"
            look.verdictText = Self.says(first, texts)[0]
        } else if seen.hiddenCount > 0 {
            look.verdictText = texts("aim_hidden", ["count": "\(seen.hiddenCount)"])
        } else {
            look.verdictText = texts["aim_none"]
        }
        return json(look)
    }

    private static func says(_ sight: PlateSight, _ texts: Texts) -> [String] {
        let figures = [
            "height": texts.digits("\(Int(sight.glyphHeight.rounded()))"),
            "good": texts.digits("\(Int(PlateSight.goodHeight))"),
            "edge": texts.digits(String(format: "%.1f", sight.edgeWidth)),
            "most": texts.digits(String(format: "%.1f", sight.mostEdge)),
        ]
        let problems = sight.problems.map { texts("aim_" + $0.rawValue, figures) }
        if problems.isEmpty { return [texts(sight.isGood ? "aim_good" : "aim_unsure", figures)] }
        return problems
    }
}
