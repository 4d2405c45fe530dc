import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// What is wrong with the box, for whoever stands before it.
struct AlarmRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/alarms") { _, context in
            _ = try context.user()
            let texts = context.texts
            let alarms = try await console.allAlarms(texts)
            return console.page(
                "alarms", context, ["alarms": alarms], at: "technician", state: try await console.statusView(texts))
        }
        router.get("/api/alarms") { _, context in
            _ = try context.user()
            return json(try await console.allAlarms(context.texts))
        }
    }
}

extension Console {
    func allAlarms(_ texts: Texts) async throws -> [AlarmView] {
        let status = await host.status()
        return alarmViews(status, try store.figures.now(), texts) + (try unfinishedViews(status, texts))
    }
}
