import Foundation
import Testing

@testable import Enforcement

@Suite("How sure a plate has to be", .timeLimit(.minutes(5)))
struct RecordingConfidenceTests {
    private func local(_ hour: Int, _ minute: Int) throws -> Instant {
        let time = CivilTime(year: 2026, month: 11, day: 26, hour: hour, minute: minute)
        return try #require(time.instant(offset: CivilTime.nepalOffset))
    }

    @Test(arguments: [
        (
            "18:30-05:30",
            [(18, 29, false), (18, 30, true), (0, 0, true), (5, 29, true), (5, 30, false), (12, 0, false)]
        ),
        ("01:00-04:00", [(0, 59, false), (1, 0, true), (3, 59, true), (4, 0, false), (23, 0, false)]),
    ])
    func `is night between two times of the post's day`(_ text: String, _ times: [(Int, Int, Bool)]) throws {
        let night = try #require(HoursOfDay(text))
        for (hour, minute, isNight) in times {
            let found = night.contains(try local(hour, minute), offset: CivilTime.nepalOffset)
            #expect(found == isNight, "\(hour):\(minute)")
        }
    }

    @Test(arguments: [
        "", "18:30", "18:30-18:30", "24:00-05:00", "18:60-05:00", "6:30-05:00", "18:30-05:00-", "-1:00-05:00",
    ])
    func `takes nothing for hours of the night that is none`(_ text: String) {
        #expect(HoursOfDay(text) == nil)
    }

    /// How sure the vehicle's plate was that was recorded of four readings, if it was.
    ///
    /// - Parameter least: by night.
    private func recorded(at start: Instant, least: Double) throws -> Double? {
        var settings = SightingTracker.Settings()
        var strict = RecordingConfidence()
        strict.any = least
        settings.night = .init(
            hours: try #require(HoursOfDay("18:30-05:30")), offset: CivilTime.nepalOffset, recording: strict)
        var tracker = SightingTracker(camera: "gate", settings: settings)
        var actions: [SightingTracker.Action] = []
        for index in 0..<4 {
            let now = start + .milliseconds(Int64(index) * 500)
            let frame = FrameReference(
                sha256: "\(index)", camera: "gate", recordedAt: now, clockState: .synchronised, stampedBy: nil)
            actions += tracker.handle(.frame(frame, readings: [reading("UP1PA1234", 0.85)]), at: now)
        }
        let confidences = actions.compactMap {
            if case .record(let sighting) = $0 { sighting.reading.confidence } else { nil }
        }
        #expect(confidences.count <= 1)
        return confidences.first
    }

    @Test func `is the night's by night alone, and goes by when the vehicle came`() throws {
        let sure = try #require(try recorded(at: try local(12, 0), least: 1.1))
        #expect(try recorded(at: try local(22, 0), least: sure) == sure)
        #expect(try recorded(at: try local(22, 0), least: 1.1) == nil)
        // It came by day, and is voted on by night.
        #expect(try recorded(at: try local(18, 30) + .milliseconds(-500), least: 1.1) == sure)
    }

    @Test func `says of what was measured and of what wasn't whether it is too low`() {
        var measured = reading("UP1PA1234", 0.9)
        measured.box = Box(x: 0, y: 0, width: 100, height: 40)
        #expect(!measured.isLower(than: 40) && measured.isLower(than: 41))
        measured.glyphHeight = 11.5
        #expect(!measured.isLower(than: 11.5) && measured.isLower(than: 12) && !measured.isLower(than: 0))
    }
}
