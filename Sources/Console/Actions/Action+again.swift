import Enforcement
import Foundation
import Pages
import Storage

/// What is fetched or sent once more. It is kept in the database; the appliance does it with the cycle that is begun here.
extension Action {
    static let again: [Action] = [
        Action(
            path: "again/fetched", help: "Forget what was fetched from the server, or a part of it, and fetch it anew.",
            fields: "kind (passages, road, lists, accounts, findings or all)", isForTechnician: true
        ) { console, fields, active in
            guard let kinds = FetchedKind.chosen(fields["kind"] ?? "") else { throw ConsoleError.input }
            try console.store.fetched.wish(kinds, at: console.now)
            console.log.notice(
                "what was fetched is fetched anew",
                metadata: ["what": "\(fields["kind"] ?? "")", "by": "\(active.user.name)"])
            return Done(
                answer: ["started": "\(await console.host.synchroniseNow())"], next: "/again?said=again")
        },
        Action(
            path: "again/days", help: "Send this post's records of some days, or fetch the other post's, once more.",
            fields: "direction (send or fetch), from, to (days, 2026-11-21)", isForTechnician: true
        ) { console, fields, active in
            let days = try WantedDays(fields["direction"], from: fields["from"], to: fields["to"])
            try console.store.days.want(days, at: console.now)
            console.log.notice(
                "days go once more",
                metadata: [
                    "direction": "\(days.direction.rawValue)", "from": "\(days.from.nepalText)",
                    "by": "\(active.user.name)",
                ])
            return Done(
                answer: ["started": "\(await console.host.synchroniseNow())"], next: "/again?said=again")
        },
    ]
}

extension FetchedKind {
    /// - Returns: nil for what is no part.
    static func chosen(_ name: String) -> Set<FetchedKind>? {
        name == "all" ? Set(allCases) : FetchedKind(rawValue: name).map { [$0] }
    }
}

extension WantedDays {
    /// From what was typed: days as a clock in Nepal counts them.
    init(_ direction: String?, from: String?, to: String?) throws(ConsoleError) {
        func day(_ text: String?) -> Instant? {
            text.flatMap { CivilTime(day: $0)?.instant(offset: CivilTime.nepalOffset) }
        }
        guard let direction = direction.flatMap(DaysDirection.init) else { throw ConsoleError.input }
        guard let first = day(from), let last = day(to), first <= last else {
            throw ConsoleError(.unprocessableContent, "error_days")
        }
        self.init(direction, from: first, until: last + .hours(24), hasPhotos: direction == .send)
        if isTooLong { throw ConsoleError(.unprocessableContent, "error_days") }
    }
}
