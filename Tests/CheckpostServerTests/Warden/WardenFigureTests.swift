import Enforcement
import Foundation
import Pages
import TestKit
import Testing

@testable import checkpost_server

@Suite("The warden's figures", .serialized, .timeLimit(.minutes(10)))
struct WardenFigureTests {
    @Test func `are summed by day, hour and weekday, with the days on which nothing passed`() {
        let sums = FigureSums(
            [
                PassageHour(day: "2026-11-20", hour: 23, weekday: 5, passages: 4, alone: 3),
                PassageHour(day: "2026-11-22", hour: 0, weekday: 0, passages: 6, alone: 6),
                PassageHour(day: "2020-01-01", hour: 1, weekday: 3, passages: 100, alone: 100),
            ],
            [
                ViolationDay(day: "2026-11-22", kind: "speeding", speed: 60, count: 2),
                ViolationDay(day: "2026-11-22", kind: "speeding", speed: nil, count: 1),
                ViolationDay(day: "2026-11-20", kind: "overstay", speed: 5, count: 1),
            ],
            // 23:00 of Nepal on the 22nd.
            days: FigureSums.names(3, until: Instant(iso8601: "2026-11-22T17:15:00Z") ?? Instant(milliseconds: 0)))
        #expect(sums.days.map(\.day) == ["2026-11-20", "2026-11-21", "2026-11-22"])
        #expect(sums.days.map(\.passages) == [4, 0, 6])
        #expect(sums.days.map(\.share) == [75, nil, 100])
        #expect(sums.days.map(\.speeding) == [0, 0, 3] && sums.days.map(\.overstay) == [1, 0, 0])
        #expect(sums.hours[23] == 4 && sums.hours[0] == 6 && sums.hours.reduce(0, +) == 10)
        #expect(sums.weekdays == [6, 0, 0, 0, 0, 4, 0])
        #expect(sums.speeds == [60: 2])
        #expect(sums.total.passages == 10)
        #expect(
            sums.csv
                == "day,passages,recorded_by_camera_alone,speeding,overstay\r\n2026-11-20,4,3,0,1\r\n2026-11-21,0,0,0,0\r\n"
                + "2026-11-22,6,6,3,0\r\n")
    }

    @Test func `are drawn to scale`() {
        let chart = BarChart(
            "n", [.init(label: "a", value: 10), .init(label: "b", value: 5, upper: 5), .init(label: "c", value: 0)],
            .english)
        #expect(chart.shapes.map(\.height) == ["160", "80"])
        #expect(chart.shapes.map(\.y) == ["0", "80"])
        #expect(chart.shapes.map(\.isUpper) == [false, true])
        #expect(chart.shapes.map(\.x) == ["20", "220"] && chart.most == "(highest: 10)" && chart.last == "c")
        #expect(BarChart("n", [], .english).shapes.isEmpty)
    }

    @Test func `are those of the account's own posts, on the page and in the file`() async throws {
        try await TestServer.run { server, database in
            _ = try WardenPageTests.fill(database, server)
            try database.owner.record("GA3KHA9", at: TestDatabase.postC, TestDatabase.hoursAgo(0.1))
            func sum(_ user: String, _ query: String) async throws -> [Int] {
                let answer = try await server.warden(user).get("/warden/figures.csv?\(query)")
                #expect(answer.headers["content-type"] == "text/csv; charset=utf-8")
                let lines = answer.text.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
                return lines.reduce([lines.count, 0, 0]) { sums, line in
                    let cells = line.split(separator: ",").map { Int($0) ?? 0 }
                    return [sums[0], sums[1] + cells[1], sums[2] + cells[3]]
                }
            }
            #expect(try await sum("admin", "days=7") == [7, 8, 1])
            #expect(try await sum("admin", "days=365&post=\(TestDatabase.postA)") == [365, 4, 1])
            #expect(try await sum("a", "days=30") == [30, 7, 1])
            #expect(try await sum("c", "days=99999") == [30, 1, 0])
            let page = try await server.warden().get("/warden/figures?days=7").text
            #expect(page.contains("<svg") && page.contains("<td>8</td>") && page.contains("Sunday"))
        }
    }
}
