import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// Who is in the park now: what a ranger asks all day.
struct InsideRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/inside") { request, context in
            _ = try context.user()
            return console.page(
                "inside", context, try await model(context.texts), at: "inside",
                state: try await console.statusView(context.texts), said: SaidView(request, console, context.texts))
        }
        router.get("/fragments/inside") { _, context in
            _ = try context.user()
            return console.page("inside-rows", context, try await model(context.texts))
        }
        router.get("/api/inside") { _, context in
            _ = try context.user()
            guard let inside = try await inside() else { return json([InsideView]()) }
            return json((inside.expected + inside.overdue).map { view($0, context.texts) })
        }
    }

    private func inside() async throws -> InsideNow? {
        guard let segment = try await console.host.segment() else { return nil }
        let (now, store) = (console.now, console.store)
        let from = now - InsideNow.window
        let dismissed = try store.alerts.list(onlyOpen: false, limit: 500).filter { $0.dismissedAt != nil }
        return InsideNow(
            own: try store.matches.unmatched(.own, from: from, to: now),
            remote: try store.matches.unmatched(.remote, from: from, to: now), on: segment,
            mayBeOut: Set(try store.matches.possible(limit: 500).map(\.match.entry.clientID)),
            dismissed: Set(dismissed.map(\.alert.entryClientID)), now: now)
    }

    /// So many are shown; a page of thousands helps nobody at the barrier.
    static let most = 300

    private func model(_ texts: Texts) async throws -> [String: Any] {
        guard let inside = try await inside() else { return ["count": texts.digits("0")] }
        return [
            "count": texts.digits("\(inside.expected.count + inside.overdue.count)"),
            "expected": inside.expected.prefix(Self.most).map { view($0, texts) },
            "overdue": inside.overdue.prefix(Self.most).map { view($0, texts) },
            "hasOverdue": !inside.overdue.isEmpty,
        ]
    }

    private func view(_ vehicle: InsideNow.Vehicle, _ texts: Texts) -> InsideView {
        InsideView(vehicle, at: AlertPosts(own: console.post.code, other: console.otherPost), console.now, texts)
    }
}

/// A vehicle inside, as pages and programs get it.
struct InsideView: Encodable, Sendable {
    let plate: String
    let script: String?
    let type: String
    let typeText: String

    /// Where it came in and where it comes out.
    let from: String
    let to: String

    /// The record of the entry, where it is this post's.
    let path: String?
    let enteredAt: String

    /// `since 14:05`
    let sinceText: String
    let insideText: String
    let earliestAt: String
    let earliest: String
    let deadlineAt: String
    let deadline: String

    /// What happens next, and how long until then.
    let nextText: String
    let untilMs: Int64
    let untilText: String

    /// `early` while an exit would be too fast, `lawful`, or `overdue`.
    let phase: String

    /// Why it may be otherwise: it may be out, its time is doubtful.
    let marks: [String]

    init(_ vehicle: InsideNow.Vehicle, at posts: AlertPosts, _ now: Instant, _ texts: Texts) {
        let entry = vehicle.entry
        plate = entry.plate.canonical
        script = PlateSpelling.shown(entry.plate)
        type = entry.vehicleType.rawValue
        typeText = texts.type(entry.vehicleType)
        (from, to) = vehicle.isFromHere ? (posts.own, posts.other) : (posts.other, posts.own)
        path = vehicle.isFromHere ? "/passage?id=" + entry.clientID.uuidString.lowercased() : nil
        enteredAt = entry.recordedAt.iso8601
        sinceText = texts("since", ["time": texts.short(entry.recordedAt, now: now)])
        insideText = texts.span(now - entry.recordedAt)
        earliestAt = vehicle.earliest.iso8601
        earliest = texts.minute(vehicle.earliest)
        deadlineAt = vehicle.deadline.iso8601
        deadline = texts.short(vehicle.deadline, now: now)
        let at: Instant
        if vehicle.earliest > now {
            (phase, at) = ("early", vehicle.earliest)
        } else {
            (phase, at) = (vehicle.deadline >= now ? "lawful" : "overdue", vehicle.deadline)
        }
        nextText = texts("inside_" + phase, ["time": texts.short(at, now: now)])
        untilMs = (at - now).milliseconds
        untilText = texts.span((at - now).magnitude)
        marks = [vehicle.mayBeOut ? texts["mark_alike"] : nil, vehicle.isTimeDoubtful ? texts["mark_time"] : nil]
            .compactMap(\.self)
    }
}
