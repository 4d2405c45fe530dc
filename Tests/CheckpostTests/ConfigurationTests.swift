import Enforcement
import Foundation
import Testing

@testable import Appliance

@Suite("The configuration", .timeLimit(.minutes(15)))
struct ConfigurationTests: ReadsConfigurations {
    @Test func `needs no more than the post, the segment and a camera`() throws {
        let configuration = try read(Self.smallest)
        #expect(configuration.post.code == "BNP-A")
        #expect(configuration.otherPostCode == "BNP-B")
        #expect(configuration.segment.distanceKm == 45)
        #expect(configuration.cameras.map(\.kind) == [.folder(path: "/etc/checkpost/incoming")])
        #expect(configuration.dataFolder == "/var/lib/checkpost")
        #expect(configuration.reader.tracking.recording.any == 0.8)
    }

    @Test func `asks of each camera, by day and by night, what is set for it`() throws {
        let file =
            Self.smallest + """

                recording_confidence = 0.7
                night = "19:00-05:00"
                night_devanagari_confidence = 1
                min_glyph_px = 14
                [[camera]]
                name = "side"
                kind = "folder"
                path = "side"
                [reader]
                recording_confidence = 0.9
                devanagari_confidence = 0.95
                """
        let configuration = try read(file)
        let (gate, side) = (configuration.tracking(of: "gate"), configuration.tracking(of: "side"))
        #expect(gate.recording.any == 0.7 && gate.recording.devanagari == 0.95)
        #expect(gate.night?.recording.any == 0.7 && gate.night?.recording.devanagari == 1)
        #expect(gate.night?.hours == HoursOfDay("19:00-05:00") && gate.night?.offset == CivilTime.nepalOffset)
        #expect(side.recording.any == 0.9 && side.recording.devanagari == 0.95 && side.night == nil)
        #expect(configuration.leastGlyphHeight(of: "gate") == 14 && configuration.leastGlyphHeight(of: "side") == 0)
        let timeless = mistakes(Self.smallest + "\nnight_recording_confidence = 0.9")
        #expect(timeless.map(\.problem) == ["nothing says when it is night"])
        let idle = mistakes(Self.smallest + "\nnight = \"18:30-05:30\"")
        #expect(idle.map(\.problem) == ["nothing differs by night"])
        #expect(mistakes(Self.smallest + "\nnight = \"8-5\"\nnight_recording_confidence = 0.9").count == 1)
    }

    @Test func `has a sample that is right and names every key`() throws {
        #expect(mistakes(ConfigurationSample.text) == [])
        for key in ConfigurationSchema.keys {
            #expect(ConfigurationSample.text.contains("\(key.name) = \(key.example)"))
        }
    }

    @Test func `takes every example of its sample as it stands`() {
        for key in ConfigurationSchema.keys where ["sms", "sync", "log", "matching", "reader"].contains(key.section) {
            let found = mistakes(Self.smallest + "\n[\(key.section)]\n\(key.name) = \(key.example)")
            #expect(found == [], "\(key.section).\(key.name)")
        }
    }

    @Test(arguments: [
        ("code = \"BNP-A\"", "code = \"B N P\"", 2), ("code = \"BNP-A\"", "code = 7", 2),
        ("other_code = \"BNP-B\"", "other_code = \"BNP-A\"", 3), ("distance_km = 45", "distance_km = 0", 5),
        ("max_speed_kmh = 40.0", "max_speed_kmh = \"fast\"", 6), ("min_speed_kmh = 10", "min_speed_kmh = 40", 7),
        ("kind = \"folder\"", "kind = \"film\"", 10), ("path = \"incoming\"", "path = \"incoming\"\nurl = \"x\"", 12),
        ("name = \"gate\"", "name = \"the gate\"", 9), ("path = \"incoming\"", "utc_offset = \"Nepal\"", 11),
    ])
    func `names the line of a mistake and what is allowed`(right: String, wrong: String, line: Int) {
        let found = mistakes(Self.smallest.replacingOccurrences(of: right, with: wrong))
        #expect(found.map(\.line).contains(line), "\(found)")
        #expect(found.allSatisfy { !$0.allowed.isEmpty })
    }

    @Test func `says what a vehicle does that comes towards a camera, of that camera alone`() throws {
        let text =
            Self.smallest
            + "\napproaching = \"leaving\"\n[[camera]]\nname = \"rear\"\nkind = \"folder\"\npath = \"rear\""
        let configuration = try read(text)
        #expect(configuration.approaching(of: "gate") == .leaving)
        #expect(configuration.tracking(of: "gate").approaching == .leaving)
        #expect(configuration.approaching(of: "rear") == nil && configuration.tracking(of: "rear").approaching == nil)
        let wrong = mistakes(Self.smallest + "\napproaching = \"north\"")
        #expect(wrong.map(\.line) == [12] && wrong[0].allowed.contains("\"entering\", \"leaving\""), "\(wrong)")
    }

    @Test func `collects all mistakes, not only the first`() {
        let text = Self.smallest.replacingOccurrences(
            of: "distance_km = 45", with: "distance_km = -1\ncolour = \"red\""
        )
        .replacingOccurrences(of: "kind = \"folder\"", with: "kind = \"film\"")
        #expect(mistakes(text).map(\.line) == [5, 6, 11])
    }

    @Test func `collects mistakes of single values and those between values in one round`() {
        let text =
            Self.smallest.replacingOccurrences(of: "code = \"BNP-A\"", with: "code = \"BNP-B\"")
            .replacingOccurrences(of: "min_speed_kmh = 10", with: "min_speed_kmh = 50")
            .replacingOccurrences(of: "path = \"incoming\"", with: "utc_offset = \"Nepal\"")
                + """

                [reader]
                country = "nepal"
                [server]
                url = "park.example.org"
                [sms]
                gateway_number = "the park"
                device = 7
                """
        let found = mistakes(text)
        #expect(found.map(\.line) == [3, 7, 8, 11, 13, 14, 14, 15, 17, 18], "\(found)")
        #expect(found.allSatisfy { !$0.description.hasSuffix("..") })
    }

    @Test func `two cameras can't share a folder`() {
        let second =
            "\n[[camera]]\nname = \"gate\"\nkind = \"folder\"\npath = \"incoming\"\n[data]\nfolder = \"incoming\""
        #expect(mistakes(Self.smallest + second).map(\.line) == [11, 13, 15, 15])
    }

    @Test(arguments: [
        ("data/photos", true), ("data/photos/2026-11-23", true), ("data/other-photos", true), ("data/run", true),
        ("data/photos.damaged-20261123T101500Z", true), ("data/../data/photos/", true), ("/", true), (".", true),
        ("data/incoming", false), ("data/photos-of-the-gate", false), ("incoming", false), ("/srv/camera", false),
    ])
    func `a camera doesn't read what the box keeps`(path: String, isRefused: Bool) {
        let camera = "\n[[camera]]\nname = \"side\"\nkind = \"folder\"\npath = \"\(path)\"\n[data]\nfolder = \"data\""
        let found = mistakes(Self.smallest + camera)
        #expect(
            found.contains { $0.description.contains("the box keeps its own photos there") } == isRefused, "\(found)")
    }

    @Test func `a window shorter than the longest lawful time is a mistake`() {
        let found = mistakes(Self.smallest + "\n[matching]\nwindow_hours = 4")
        #expect(found.map(\.line) == [13])
        #expect(mistakes(Self.smallest + "\n[matching]\nwindow_hours = 5").isEmpty)
    }

    @Test func `models without the parameters that they are read with are advice`() throws {
        let models = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: models) }
        try FileManager.default.copyItem(at: Checkout.root.appendingPathComponent("models"), to: models)
        let text = Self.smallest + "\n[reader]\nmodels = \"\(models.path)\"\n"
        #expect(try read(text).advice.allSatisfy { !$0.contains("Plates can't be read") })
        try FileManager.default.removeItem(at: models.appendingPathComponent("reader.json"))
        #expect(try read(text).advice.contains { $0.hasPrefix("Plates can't be read: reader.json is missing") })
    }

    @Test func `a folder that is not there yet is advice and no mistake`() throws {
        #expect(try read(Self.smallest).advice.contains { $0.contains("/etc/checkpost/incoming") })
    }

    @Test func `it is said of a folder whose pictures are removed`() throws {
        let folder = try TemporaryFolder()
        let text = Self.smallest.replacing("path = \"incoming\"", with: "path = \"\(folder.url.path)\"")
        #expect(try read(text).advice.contains { $0.contains("are removed 24 h 00 min after they were answered for") })
        let kept = text.replacing("kind = \"folder\"", with: "kind = \"folder\"\npictures = \"keep\"")
        #expect(try read(kept).advice.allSatisfy { !$0.contains("are removed") })
    }

    @Test func `suggests the key that was meant`() {
        let found = mistakes(Self.smallest.replacingOccurrences(of: "other_code", with: "other_cod"))
        #expect(found.contains { $0.problem.contains("did you mean \"other_code\"") })
    }

    @Test func `says where it is no TOML`() {
        let found = mistakes("[post]\ncode = \"A\nother_code = 1")
        #expect(found.count == 1)
        #expect(found.first?.line == 2)
    }

    @Test func `refuses a login in a camera's address and never repeats it`() {
        let text = Self.smallest.replacingOccurrences(of: "kind = \"folder\"", with: "kind = \"mjpeg\"")
            .replacingOccurrences(of: "path = \"incoming\"", with: "url = \"http://me:secret@camera/stream\"")
        let found = mistakes(text)
        #expect(found.map(\.line) == [11])
        #expect(!"\(found)".contains("secret"))
    }

    @Test func `reads a camera's password from its file`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("hunter2\n", to: "gate.password")
        let text = Self.smallest.replacingOccurrences(of: "kind = \"folder\"", with: "kind = \"mjpeg\"")
            .replacingOccurrences(
                of: "path = \"incoming\"",
                with: "url = \"http://camera/stream\"\nuser = \"me\"\npassword_file = \"\(file.path)\"")
        let configuration = try read(text)
        #expect(
            configuration.cameras.first?.kind
                == .mjpeg(url: "http://camera/stream", user: "me", password: "hunter2", verifiesTLS: true))
        #expect(!"\(configuration)".contains("hunter2"))
    }

    @Test func `has everything about SMS and modem, and the PIN in no description`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("4711\n", to: "modem.password")
        let configuration = try read(
            Self.smallest + """

                [sms]
                gateway_number = "00977 98-12345678"
                ranger_phone = "9841 234321"
                after_minutes = 7
                hourly_limit = 20
                daily_limit = 50
                warning_percent = 50
                repeat_lost = false
                [modem]
                device = "auto"
                speed = 9600
                pin_file = "\(file.path)"
                service_centre = "+9779851028801"
                hardware_flow_control = true
                """)
        let modem = try #require(configuration.modem)
        #expect(modem.device == "auto" && modem.speed == 9600 && modem.usesHardwareFlowControl)
        #expect(modem.pin == "4711" && modem.serviceCentre == "+9779851028801")
        #expect(!"\(configuration)".contains("4711"))
        let settings = SMSFallback.Settings(configuration, modem)
        #expect(settings.gatewayNumber?.description == "+9779812345678")
        #expect(settings.phoneSuffix == "4321" && settings.checkpostCode == "BNP-A")
        #expect(settings.policy.outageBeforeSMS == .minutes(7) && settings.policy.minimumAge == .minutes(7))
        #expect(settings.policy.hourlyLimit == 20 && settings.policy.dailyLimit == 50)
        #expect(settings.policy.warningShare == 0.5 && !settings.policy.serverRecognisesTexts)
    }

    @Test(arguments: [
        ("gateway_number = \"park\"", 13), ("ranger_phone = \"123\"", 13), ("hourly_limit = 0", 13),
        ("after_minutes = \"soon\"", 13), ("[modem]\ndevice = \"ttyUSB0\"", 14), ("[modem]\nspeed = 12345", 14),
        ("[modem]", 13), ("[modem]\ndevice = \"auto\"\npin = \"12\"", 15),
        ("[modem]\ndevice = \"auto\"\npin_file = \"/nowhere\"", 15),
    ])
    func `names the line of a mistake about SMS or modem`(text: String, line: Int) {
        let found = mistakes(Self.smallest + "\n[sms]\n" + text)
        #expect(found.map(\.line).contains(line), "\(found)")
        #expect(!"\(found)".contains("\"12\""))
    }

    @Test func `what is no file, or not there, is an error that says so`() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder["pipe"].path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder["loop"].path, withDestinationPath: "loop")
        let cases = [
            ("/nowhere/checkpost.toml", "no such file"), (folder["pipe"].path, "a pipe"), (folder.url.path, "a folder"),
            (folder["loop"].path, "Too many levels of symbolic links"), ("/dev/null", "a device"),
        ]
        for (path, words) in cases {
            let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(path: path) }
            #expect("\(try #require(error))".contains(words), "\(path): \(String(describing: error))")
        }
    }
}
