import Enforcement
import Testing

@Suite("Alarms that say nothing any more", .timeLimit(.minutes(1)))
struct AlarmScopeTests {
    private static let now = Instant(milliseconds: 1_795_255_200_000)
    private let whole = AlarmScope(cameras: ["gate"], hasServer: true, hasModem: true, hasTrigger: true)

    @Test(arguments: [
        "camera", "clock.camera", "folder", "folder.answered", "photos", "pictures", "recording", "recording.lost",
        "recording.refused", "self-test.camera",
    ])
    func `are those of a camera that is no longer configured`(kind: String) {
        #expect(!whole.isOver("\(kind).gate", raisedAt: Self.now, at: Self.now))
        #expect(whole.isOver("\(kind).old", raisedAt: Self.now, at: Self.now))
    }

    @Test(arguments: [
        ("sync.offline", true, true), ("sync.refused", true, true), ("machine", false, true), ("disk", false, false),
        ("clock", false, false), ("part.sync", false, false), ("self-test.clock", false, false),
        ("modem.unresponsive", false, true), ("sms.refused", false, true),
        ("database.damaged", false, false), ("camera.gate", false, false),
    ])
    func `are those of a server that was taken out, and of a machine that sends nothing`(
        key: String, withoutServer: Bool, withoutBoth: Bool
    ) {
        var scope = whole
        #expect(!scope.isOver(key, raisedAt: Self.now - .days(99), at: Self.now))
        scope.hasServer = false
        #expect(scope.isOver(key, raisedAt: Self.now, at: Self.now) == withoutServer)
        (scope.hasModem, scope.hasTexts) = (false, false)
        #expect(scope.isOver(key, raisedAt: Self.now, at: Self.now) == withoutBoth)
    }

    @Test func `are those of a loop that was taken out`() {
        var scope = AlarmScope(cameras: [], hasServer: false, hasModem: false, hasTrigger: true)
        #expect(!scope.isOver("trigger.silent", raisedAt: Self.now - .days(99), at: Self.now))
        scope.hasTrigger = false
        #expect(scope.isOver("trigger.silent", raisedAt: Self.now, at: Self.now))
    }

    @Test(arguments: ["trigger.lost", "clock.step", "recording.lost.gate", "recording.refused.gate"])
    func `are what happened a day ago, by whatever clock`(key: String) {
        for hours in [0, 23.9, -23.9] {
            #expect(!whole.isOver(key, raisedAt: Self.now - .hours(hours), at: Self.now))
        }
        for hours in [24, 400_000, -24, -400_000.0] {
            #expect(whole.isOver(key, raisedAt: Self.now - .hours(hours), at: Self.now))
        }
    }

    @Test func `are told once more by a camera that starts, where they last`() {
        #expect(
            Set(AlarmScope.begun(camera: "gate")) == [
                "blank.gate", "folder.gate", "frozen.gate", "photos.gate", "pictures.gate", "recording.gate",
            ])
    }
}
