import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// The technician's page.
struct TechnicianRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/technician") { request, context in
            guard try context.user().user.role == .technician else { throw ConsoleError.forbidden }
            return console.page(
                "technician", context, try await model(context.texts), at: "technician",
                state: try await console.statusView(context.texts), said: SaidView(request, console, context.texts))
        }
    }

    private func model(_ texts: Texts) async throws -> [String: Any] {
        let now = console.now
        let status = await console.host.status()
        let figures = try console.store.figures.now()
        let dead = try console.store.queue.entries(status: .failed, limit: 100)
        var model: [String: Any] = [
            "queueText": StatusView.queue(figures, texts, now).text, "hasDead": !dead.isEmpty,
            "version": status.version,
            "clockText": texts["clock_" + status.clockState.rawValue] + ", " + texts.moment(now),
            "freeText": status.freeBytes.map { texts.digits(String(format: "%.1f GB", Double($0) / 1e9)) } ?? "?",
            "readers": texts.digits("\(console.hub.readerCount)"),
            "overflow": texts.digits("\(console.hub.overflowCount)"),
            "log": await console.host.logLines().joined(separator: "\n"),
            "smsText": status.hasModem
                ? (status.modemSignal.map { texts["signal"] + texts.digits(" \($0)/31") } ?? texts["signal_unknown"])
                    + ". " + texts[status.signsTexts ? "texts_signed" : "texts_unsigned"]
                : status.givesTexts ? texts["texts_kept"] : texts["signal_none"],
        ]
        model["roadText"] = try await console.host.segment().map { Self.line($0, texts) } ?? "?"
        let use = try console.store.dataUse.use(ofMonth: DataUse.month(of: now))
        func megabytes(_ bytes: Int64) -> String { texts.digits(String(format: "%.1f", Double(bytes) / 1e6)) }
        model["dataText"] = texts(
            "data_month", ["sent": megabytes(use.sent), "received": megabytes(use.received)])
        model["canRetry"] = try !dead.isEmpty || console.store.photos.counts()[.failed] ?? 0 > 0
        model["alarms"] = console.alarmViews(status, figures, texts) + (try console.unfinishedViews(status, texts))
        model["cameras"] = status.cameras.map { camera -> [String: Any] in
            let picture = console.live[camera.name]
            return [
                "name": camera.name, "link": camera.name.escapedForQuery, "phaseText": texts["phase_" + camera.phase],
                "failure": camera.failure ?? "",
                "hasFailure": camera.failure != nil,
                "hasPicture": picture != nil,
                "plates": picture?.plates.map {
                    "\($0.plate.canonical) " + texts.digits("(\(Int(($0.confidence * 100).rounded())) %)")
                } ?? [], "last": camera.lastFrameAt.map { texts.short($0, now: now) } ?? "",
            ]
        }
        model["dead"] = try dead.map { entry in
            [
                "id": "\(entry.id)", "entity": entry.entity.rawValue, "error": entry.lastError ?? "",
                "plate": try console.store.passages.passage(clientID: entry.passageClientID)?.passage.plate.canonical
                    ?? "",
            ]
        }
        model["runs"] = try console.store.runs.list(limit: 5).map { Self.line($0, texts, now: now) }
        model["messages"] = try console.store.messages.list(limit: 10).map { message in
            "\(texts.short(message.createdAt, now: now)) \(message.number): \(texts["message_" + message.state.rawValue])"
                + (message.reason.map { " · \($0)" } ?? "")
        }
        model["peer"] = try await peerModel(texts)
        model["users"] = try console.store.accounts.users().map {
            "\($0.name) (\(texts["role_" + $0.role.rawValue]))"
                + ($0.lastSignInAt.map { ", " + texts.short($0, now: now) } ?? "")
        }
        return model
    }

    /// What vehicles are judged by.
    static func line(_ road: Segment, _ texts: Texts) -> String {
        func said(_ number: Double, _ unit: String) -> String {
            texts.digits(Wording.number(number)) + " " + texts[unit]
        }
        let types = VehicleType.allCases.compactMap { type in
            road.typeSpeeds.kmh[type].map { texts["type_" + type.rawValue] + " " + said($0, "kmh") }
        }
        let tolerance =
            said(road.toleranceKmh, "kmh") + " / " + texts.digits(Wording.number(road.tolerancePercent)) + " %"
        return [
            road.name, said(road.distanceKm, "km"), texts["lawful_max"] + " " + said(road.maxSpeedKmh, "kmh"),
            types.joined(separator: ", "), texts.said(road.hourLimits),
            texts["lawful_min"] + " " + said(road.minSpeedKmh, "kmh"),
            texts("tolerance", ["kmh": tolerance]), road.distanceCertificate ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// A synchronization: when, how many records went and came, how many pictures, and what failed.
    static func line(_ run: SyncRun, _ texts: Texts, now: Instant) -> String {
        texts.short(run.startedAt, now: now) + texts.digits(": ↑\(run.pushed) ↓\(run.pulled) ▣\(run.photos)")
            + (run.failure.map { " · \($0)" } ?? "")
    }
}
