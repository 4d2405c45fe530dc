import Capture
import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance
@testable import Console

@Suite("What other programs read of the box", .timeLimit(.minutes(5)))
struct MetricsTests {
    private let folder: TemporaryFolder
    private let store: Store
    private var configuration = Configuration.pilot

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
        configuration.dataFolder = folder.url.path
        configuration.cameras = [CameraConfiguration(name: "gate", kind: .folder(path: "/nowhere"))]
    }

    private func record(_ plate: String) throws {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: configuration.post.code, recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera
        )
        try store.passages.record(passage, at: BoxClock.now)
    }

    private var metrics: String {
        MetricsText(StatusReport.gather(configuration, store), clock: .untrusted).description
    }

    @Test func `count what is on record and what waits, and name what is wrong`() throws {
        try record("BA 1 PA 1234")
        try record("BA 1 PA 1235")
        try store.alarms.raise("camera.gate", .critical, "The camera \"gate\"\nis silent.", at: BoxClock.now)
        let lines = Set(metrics.split(separator: "\n").map(String.init))
        for line in [
            "checkpost_up 0", "checkpost_clock_trusted 0", "checkpost_passages 2", "checkpost_passages_today 2",
            "checkpost_problem{name=\"camera.gate\"} 1", "checkpost_problem{name=\"appliance\"} 1",
            "checkpost_problems{severity=\"critical\"} 2", "checkpost_problems{severity=\"notice\"} 0",
        ] {
            #expect(lines.contains(line), "\(line) is not in:\n\(metrics)")
        }
        #expect(!metrics.contains("PA"), "No plate is told.")
    }

    /// https://prometheus.io/docs/instrumenting/exposition_formats
    @Test func `is in the format that Prometheus reads`() throws {
        try store.alarms.raise("camera.\"a\\b\n", .warning, "Odd.", at: BoxClock.now)
        let sample = #/^[a-z_]+(\{[a-z]+="([^"\\\n]|\\["\\n])*"(,[a-z]+="([^"\\\n]|\\["\\n])*")*\})? -?[0-9.e+-]+$/#
        let comment = #/^# (HELP [a-z_]+ .+|TYPE [a-z_]+ (gauge|counter))$/#
        var typed: [String] = []
        for line in metrics.split(separator: "\n") {
            #expect(line.wholeMatch(of: sample) != nil || line.wholeMatch(of: comment) != nil, "\(line)")
            if line.hasPrefix("# TYPE ") { typed.append(String(line.split(separator: " ")[2])) }
            if !line.hasPrefix("#") { #expect(typed.last.map { line.hasPrefix($0) } == true, "\(line)") }
        }
        #expect(typed.count == Set(typed).count, "Each is described once.")
        #expect(metrics.hasSuffix("\n"))
    }

    @Test func `tells every moment as ISO 8601, and each problem with its name, since when, and what to do`() throws {
        try store.alarms.raise("camera.gate", .critical, "Silent.", hint: "Look.", at: BoxClock.now)
        let report = StatusReport.gather(configuration, store)
        let json = try JSONSerialization.jsonObject(with: JSONEncoder.shown.encode(report)) as? [String: Any]
        let problems = try #require(json?["problems"] as? [[String: Any]])
        let camera = try #require(problems.first { $0["name"] as? String == "camera.gate" })
        #expect(camera["severity"] as? String == "critical")
        #expect(camera["hint"] as? String == "Look.")
        let text = try #require(camera["since"] as? String)
        let since = try #require(Instant(iso8601: text))
        #expect((BoxClock.now - since).magnitude < .minutes(1))
        #expect(problems.allSatisfy { $0["name"] is String && $0["message"] is String })
    }

    @Test func `is for this machine and for those that are named`() {
        var console = ConsoleConfiguration()
        console.metricsFrom = ["192.168.10.5", "fd00::5"]
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.168.10.5", "::ffff:192.168.10.5", "fd00::5"] {
            #expect(MetricsRoute.mayRead(address, console), "\(address)")
        }
        for address in ["192.168.10.50", "192.168.10.6", "", "10.0.0.1", "fd00::6"] {
            #expect(!MetricsRoute.mayRead(address, console), "\(address)")
        }
    }

    @Test func `is served by a running box without signing in`() async throws {
        let box = try await ConsoleBox()
        try await box.start()
        let answer = try await OtherProgram.run("/usr/bin/curl", ["-sS", "-i", box.url + "/metrics"], limitSeconds: 60)
        #expect(answer.output.contains("200 OK") && answer.output.contains("text/plain; version=0.0.4"), "\(answer)")
        #expect(answer.output.contains("\ncheckpost_up 1\n"), "\(answer.output)")
        #expect(answer.output.contains("\ncheckpost_part_up{part=\"console\"} "), "\(answer.output)")
    }
}
