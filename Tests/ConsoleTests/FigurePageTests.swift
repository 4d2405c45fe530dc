import Enforcement
import Foundation
import Pages
import Storage
import TestKit
import Testing

@testable import Console

@Suite("The page of figures", .serialized, .timeLimit(.minutes(10)))
struct FigurePageTests {
    @Test func `draws what happened at the post, and says it in a table`() async throws {
        try await Rig.run { rig in
            try rig.violation("BA 1 CHA 1234")
            try rig.passage("BA 2 CHA 2")
            try rig.doubtful("BA 3 CHA 3")
            var status = ConsoleStatus()
            (status.hasModem, status.modemSignal, status.freeBytes) = (true, 17, 12_300_000_000)
            status.clockState = .simulated
            rig.host.answer(status)
            try await SampleKeeper(console: rig.console).keep()
            let visitor = try await rig.ranger()
            let page = try await visitor.get("/figures").text
            for name in [
                "Passages an hour", "read by the camera alone", "Average speeds between the posts",
                "How sure the camera was", "the oldest in the queue", "signal, of 31", "Free on the disk",
            ] { #expect(page.contains(name), "\(name)") }
            #expect(page.contains("limit 40 km/h") && page.contains("<line x1="), "the limit is drawn")
            #expect(page.contains("<title>65 km/h: 1</title>"))
            #expect(page.contains("<td>1</td><td>50 %</td><td>0 %</td><td>90 %</td>"), "one passage, one waits")
            #expect(page.contains("<td>1</td><td>100 %</td><td>0 %</td><td>90 %</td>"), "the hour before")
            #expect(page.contains("<td>17</td><td>12 GB</td>"))
            #expect(!page.contains("Without a plate"), "without a loop nobody counts them")
            status.hasTrigger = true
            rig.host.answer(status)
            let counted = try await visitor.get("/figures").text
            #expect(counted.contains("Without a plate</th>") && counted.contains("<td>0 %</td><td>0</td><td>90 %</td>"))
            #expect(!page.contains("http://") && !page.contains("https://"), "nothing is asked of anybody else")
            visitor.cookies["checkpost_language"] = "ne"
            for days in ["1", "7", "30", "x"] {
                let nepali = try await visitor.get("/figures?days=" + days)
                #expect(nepali.status == 200 && nepali.text.contains("तथ्याङ्क"))
            }
        }
    }

    @Test func `writes nothing down by a clock that nobody has set`() async throws {
        try await Rig.run { rig in
            var status = ConsoleStatus()
            status.clockState = .untrusted
            rig.host.answer(status)
            let before = try rig.store.samples.list().count
            rig.clock.advance(.hours(1))
            try await SampleKeeper(console: rig.console).keep()
            #expect(try rig.store.samples.list().count == before)
        }
    }

    @Test func `marks a limit within what is drawn`() {
        let bars = (0..<4).map { BarChart.Bar(label: "\($0)", value: $0) }
        let chart = BarChart("n", bars, .english, unit: " km/h", mark: .init(bars: 1, label: "limit"))
        #expect(chart.markX == "150" && chart.markLabel == "limit" && chart.most == "(highest: 3 km/h)")
        #expect(BarChart("n", bars, .english, mark: .init(bars: 9, label: "")).markX == "600")
        #expect(BarChart("n", [], .english, mark: .init(bars: 9, label: "")).markX == nil)
    }
}
