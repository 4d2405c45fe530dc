import Capture
import Enforcement
import Foundation
import Testing

@testable import Appliance

@Suite("A camera whose trigger told of a vehicle", .timeLimit(.minutes(5)))
struct TriggerLookTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    @Test func `reads the frames around it, though nothing seems to move`() async throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration.pilot
        // Nothing is looked for in the picture: where a plate stands, frames are read anyhow.
        configuration.cameras = [
            CameraConfiguration(
                name: "gate", kind: .folder(path: "/nowhere"), mask: try #require(PictureMask("0,0,100,99")))
        ]
        configuration.dataFolder = folder.url.path
        configuration.trigger = Configuration.Trigger(device: "/dev/null", camera: "gate")
        let run = RunFolder(dataFolder: folder.url.path)
        try run.begin(memory: nil)
        let box = try TestPipeline(configuration)
        let road = try DrivePicture.firstRead(configuration)
        func isRead(_ seconds: Double) async throws -> Bool {
            let frame = Frame(
                picture: road, recordedAt: start + .seconds(seconds), clockState: .synchronised, camera: "gate",
                sourceKey: nil)
            return try await !box.pipeline.process(.frame(frame)).wasStill
        }
        #expect(try await isRead(0))
        #expect(try await !isRead(15))
        var look = TriggerLook()
        look.add(start + .seconds(20))
        RunFolder.write(look, to: run.triggerLook)
        for second in [17, 17.2, 26] { #expect(try await isRead(second), "\(second)") }
        #expect(try await !isRead(26.1))
        let others = TriggerWatch.look(of: "lane", configuration)
        #expect(!others(start + .seconds(20)), "the trigger is of another camera")
        #expect(TriggerWatch.look(of: "gate", configuration)(start + .seconds(20)))
    }

    @Test func `is set as the file says, and a mistake is named`() throws {
        let reader = Reader()
        #expect(try reader.read(Reader.smallest).trigger == nil)
        let whole = try reader.read(
            Reader.smallest + """

                [trigger]
                device = "/dev/serial/by-id/loop"
                speed = 19200
                camera = "gate"
                window_seconds = 8
                silent_after_seconds = 0
                """)
        #expect(
            whole.trigger
                == Configuration.Trigger(
                    device: "/dev/serial/by-id/loop", speed: 19200, camera: "gate", window: .seconds(8),
                    silentAfter: nil))
        #expect(whole.alarmScope.hasTrigger)
        for (lines, problem) in [
            ("device = \"ttyUSB0\"", "\"ttyUSB0\" is no port"), ("", "[trigger] lacks \"device\""),
            ("device = \"/dev/a\"\ncamera = \"side\"", "no camera is called \"side\""),
            ("device = \"/dev/a\"\n[modem]\ndevice = \"/dev/a\"", "this is the port of the modem"),
        ] {
            #expect(reader.mistakes(Reader.smallest + "\n[trigger]\n\(lines)").map(\.problem) == [problem])
        }
    }

    private struct Reader: ReadsConfigurations {}
}
