import Capture
import Enforcement
import Foundation
import TOMLKit

/// Makes the configuration of values that are each allowed, and checks what must hold between them.
struct ConfigurationBuilder {
    let values: [String: any TOMLValueConvertible]
    let cameraCount: Int
    let lines: ConfigurationLines

    /// What relative paths start from: the folder of the file.
    let folder: String

    /// Lines that are wrong already: what is checked between values says nothing more about them.
    let mistakenLines: [Int?]

    private(set) var mistakes: [ConfigurationMistake] = []

    init(
        values: [String: any TOMLValueConvertible], cameraCount: Int, lines: ConfigurationLines, folder: String,
        mistakenLines: [Int?]
    ) {
        self.values = values
        self.cameraCount = cameraCount
        self.lines = lines
        self.folder = folder
        self.mistakenLines = mistakenLines
    }

    mutating func build() -> Configuration {
        var configuration = Configuration()
        let code = text("post.code") ?? configuration.post.code
        configuration.post = Checkpost(
            code: code, name: text("post.name") ?? code, positionIndex: whole("post.position") ?? 0)
        configuration.otherPostCode = text("post.other_code") ?? configuration.otherPostCode
        for key in ["post.code", "post.other_code"] where text(key).map(ShortName.isValid) == false {
            refuse(key, "\(key) can't be this", ShortName.allowed + ", such as \"BNP-A\"")
        }
        if text("post.code") != nil, code == configuration.otherPostCode {
            refuse("post.other_code", "both posts have the code \"\(code)\"", "the code of the post at the other end")
        }
        configuration.segment = segment(configuration.segment)
        configuration.dataFolder = text("data.folder").map(absolute) ?? configuration.dataFolder
        configuration.homeFolder = configuration.dataFolder
        configuration.spareFolder = text("data.spare").map(absolute)
        if let spare = configuration.spareFolder, BackupPlace.lies(spare, in: configuration.dataFolder) {
            refuse("data.spare", "it lies in the data folder", "a folder on another disk")
        }
        configuration.reader = reader()
        configuration.matcher = PassageMatcher(window: window(configuration.segment))
        configuration.logLevel = text("log.level") ?? configuration.logLevel
        configuration.cameras = (0..<cameraCount).compactMap {
            camera("camera[\($0)]", configuration.reader.tracking.recording)
        }
        checkCameras()
        configuration.server = server()
        configuration.sync = SyncTuning.settings(window: configuration.matcher.window) { number("sync.\($0)") }
        configuration.sync.photoAllowance.hours = text("sync.photo_hours").flatMap(HoursOfDay.init)
        configuration.retention = RetentionTuning.settings { number("retention.\($0)") }
        configuration.backup = backup(dataFolder: configuration.dataFolder)
        configuration.updateKey = updateKey()
        configuration.sms = sms()
        // Level 3 is shown when messages go out.
        configuration.sync.link.smsAfter = configuration.sms.after
        configuration.modem = modem()
        configuration.trigger = trigger()
        configuration.peer = peer()
        configuration.console = console()
        configuration.console?.country = configuration.reader.country
        configuration.console?.hourLimits = configuration.segment.hourLimits
        return configuration
    }

    private mutating func server() -> Configuration.Server? {
        guard let url = required("server.url", with: "server") else { return nil }
        check(url, "server.url", AddressRule.server.mistake(in: url, login: "\"email\" and \"password_file\""))
        let caFile = text("server.ca_file").map(absolute)
        if let caFile, !FileManager.default.isReadableFile(atPath: caFile) {
            refuse("server.ca_file", "\(caFile) can't be read", "a file with certificates in PEM form")
        }
        return Configuration.Server(
            url: url, email: required("server.email", with: "server") ?? "",
            passwordFile: required("server.password_file", with: "server").map(absolute) ?? "",
            anonKey: text("server.anon_key").flatMap { $0.isEmpty ? nil : $0 }, caFile: caFile)
    }

    private mutating func segment(_ standard: Segment) -> Segment {
        let highest = number("segment.max_speed_kmh") ?? standard.maxSpeedKmh
        let lowest = number("segment.min_speed_kmh") ?? standard.minSpeedKmh
        if number("segment.max_speed_kmh") == nil || number("segment.min_speed_kmh") == nil { return standard }
        guard lowest < highest else {
            refuse(
                "segment.min_speed_kmh", "the lowest speed \(lowest) isn't below the highest \(highest)",
                "a number below max_speed_kmh")
            return standard
        }
        let tolerance = Tolerance(
            kmh: number("segment.tolerance_kmh") ?? 0, percent: number("segment.tolerance_percent") ?? 0)
        if let problem = Tolerance.problem(kmh: tolerance.kmh, percent: tolerance.percent, minSpeedKmh: lowest) {
            refuse("segment.tolerance_kmh", problem, "a number below min_speed_kmh")
            return standard
        }
        let typeSpeeds = text("segment.type_speeds_kmh").flatMap(TypeSpeeds.init(typed:)) ?? TypeSpeeds()
        let hourLimits = text("segment.hour_limits").flatMap(HourLimits.init(typed:)) ?? HourLimits()
        let distance = number("segment.distance_km") ?? standard.distanceKm
        if let problem = Segment.problem(
            distanceKm: distance, maxSpeedKmh: highest, minSpeedKmh: lowest, typeSpeeds: typeSpeeds)
        {
            refuse("segment.type_speeds_kmh", problem, "speeds above min_speed_kmh")
            return standard
        }
        if let problem = Segment.problem(
            distanceKm: distance, maxSpeedKmh: highest, minSpeedKmh: lowest, hourLimits: hourLimits)
        {
            refuse("segment.hour_limits", problem, "speeds above min_speed_kmh, \(HourLimits.most) limits at most")
            return standard
        }
        return Segment(
            name: text("segment.name") ?? "Segment", distanceKm: distance,
            maxSpeedKmh: highest, minSpeedKmh: lowest, toleranceKmh: tolerance.kmh, tolerancePercent: tolerance.percent,
            typeSpeeds: typeSpeeds, hourLimits: hourLimits, distanceCertificate: text("segment.distance_certificate"))
    }

    /// How far apart an entry and its exit can be: a slow vehicle still has to be matched.
    private mutating func window(_ segment: Segment) -> TimeSpan {
        let window = TimeSpan.hours(number("matching.window_hours") ?? 24)
        if lines["segment"] != nil, window <= segment.longestTravelTime {
            refuse(
                lines["matching.window_hours"] != nil ? "matching.window_hours" : "segment.min_speed_kmh",
                "the longest lawful time is \(Wording.span(segment.longestTravelTime)), and passages are matched within "
                    + Wording.span(window),
                "a window_hours in [matching] above the segment's distance_km / (min_speed_kmh - tolerance)")
        }
        return window
    }

    private mutating func reader() -> Configuration.Reader {
        var reader = Configuration.Reader()
        if let country = text("reader.country"), !country.isEmpty {
            reader.country = country.lowercased()
            if !Country.isCode(country) { refuse("reader.country", "\"\(country)\" is no country", Country.allowed) }
        } else if text("reader.country") != nil {
            reader.country = nil
        }
        reader.models = text("reader.models").map(absolute)
        reader.tracking.recording = confidence(at: "reader", reader.tracking.recording)
        if let absence = number("reader.absence_seconds") { reader.tracking.absence = .seconds(absence) }
        return reader
    }

    private mutating func camera(_ path: String, _ usual: RecordingConfidence) -> CameraConfiguration? {
        guard let name = text("\(path).name"), let kindName = text("\(path).kind") else { return nil }
        guard let kind = kind(kindName, path) else { return nil }
        let silent = number("\(path).silent_after_seconds")
        let offset = text("\(path).utc_offset").flatMap(utcOffset) ?? CivilTime.nepalOffset
        let recording = confidence(at: path, usual)
        return CameraConfiguration(
            name: name, kind: kind, offset: offset,
            silentAfter: silent == 0 ? nil : silent.map { .seconds($0) } ?? (kindName == "folder" ? nil : .seconds(60)),
            framesPerSecond: number("\(path).frames_per_second") ?? 5,
            mask: text("\(path).mask").flatMap { PictureMask($0) } ?? PictureMask(),
            approaching: text("\(path).approaching").flatMap(Travel.init), recording: recording,
            night: night(path, recording, offset: offset), leastGlyphHeight: number("\(path).min_glyph_px") ?? 0,
            answered: text("\(path).pictures").flatMap(FolderPictures.init) ?? .remove)
    }

    private mutating func kind(_ name: String, _ path: String) -> CameraConfiguration.Kind? {
        let needsPath = name == "folder" || name == "v4l2"
        let key = needsPath ? "\(path).path" : "\(path).url"
        if isMistaken(key) { return nil }
        guard let address = text(key), !address.isEmpty else {
            let what = needsPath ? "path" : "url"
            let allowed = ConfigurationSchema.key("camera", what)?.allowed ?? ""
            refuse(path, "a camera of kind \"\(name)\" needs \"\(what)\"", allowed)
            return nil
        }
        if !needsPath { check(address, key, AddressRule.camera(kind: name)?.mistake(in: address)) }
        let user = text("\(path).user")
        let password = password(path)
        let verifiesTLS = values["\(path).verify_tls"]?.bool ?? true
        let url = Secret(address)
        switch name {
        case "folder": return .folder(path: absolute(address))
        case "v4l2": return .v4l2(device: address, size: text("\(path).size"))
        case "mjpeg": return .mjpeg(url: url, user: user, password: password, verifiesTLS: verifiesTLS)
        case "rtsp": return .rtsp(url: url, user: user, password: password)
        default:
            return .snapshots(
                url: url, user: user, password: password, verifiesTLS: verifiesTLS,
                interval: .seconds(number("\(path).interval_seconds") ?? 0.5))
        }
    }

    private mutating func check(_ address: String, _ key: String, _ mistake: AddressRule.Mistake?) {
        if let mistake { refuse(key, mistake.reason, mistake.allowed) }
    }

    private mutating func password(_ path: String) -> Secret? { secret("\(path).password_file") }

    /// The first line of the file that a key names.
    mutating func secret(_ key: String) -> Secret? {
        guard let file = text(key).map(absolute) else { return nil }
        guard let content = FileManager.default.contents(atPath: file), content.count < 4096,
            let line = String(data: content, encoding: .utf8)?.split(separator: "\n").first
        else {
            refuse(key, "\(file) can't be read or is empty", "a file with the secret in its first line")
            return nil
        }
        return Secret(String(line))
    }

    /// Looks at the values themselves: a camera that has another mistake counts too.
    private mutating func checkCameras() {
        var names = Set<String>()
        var places = Set<String>()
        for index in 0..<cameraCount {
            let key = "camera[\(index)].name"
            if let name = text(key) {
                if !ShortName.isValid(name) { refuse(key, "a camera can't have this name", ShortName.allowed) }
                // People and files tell names apart by more than capitals.
                if !names.insert(name.lowercased()).inserted {
                    refuse(key, "two cameras are called \"\(name)\"", "a name of its own")
                }
            }
            for part in ["path", "url"] {
                let key = "camera[\(index)].\(part)"
                guard let place = text(key).map({ part == "path" ? absolute($0) : $0 }) else { continue }
                if let other = places.first(where: { Self.overlap(part, $0, place) }) {
                    let what =
                        other == place
                        ? "two cameras read from the same place" : "two cameras' folders lie in each other"
                    refuse(key, what, "one camera for each \(part)")
                }
                places.insert(place)
                let data = text("data.folder").map(absolute) ?? Configuration().dataFolder
                if place == data { refuse(key, "this is the data folder", "a folder of its own, such as one below it") }
                // What the box keeps would be read as new vehicles, and removed once it is answered for.
                if part == "path", Self.holdsRecords(place, in: data) {
                    refuse(key, "the box keeps its own photos there", "a folder that only the camera writes to")
                }
            }
        }
    }

    /// Whether what one camera reads is what another reads. Subfolders belong to a folder.
    private static func overlap(_ part: String, _ one: String, _ other: String) -> Bool {
        guard part == "path", one.hasPrefix("/"), other.hasPrefix("/") else { return one == other }
        func parts(_ path: String) -> [String] {
            URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().pathComponents
        }
        let (one, other) = (parts(one), parts(other))
        return one.starts(with: other) || other.starts(with: one)
    }

    /// Whether a camera's folder would show what the box keeps: its photos, or the data folder with everything in it.
    static func holdsRecords(_ path: String, in data: String) -> Bool {
        func parts(_ path: String) -> [String] { URL(fileURLWithPath: path).standardizedFileURL.pathComponents }
        let (place, data) = (parts(path), parts(data))
        if data.starts(with: place), data != place { return true }
        guard place.count > data.count, place.starts(with: data) else { return false }
        let name = place[data.count]
        return ["photos", "other-photos", "run"].contains(name) || name.hasPrefix("photos.")
    }

    /// The value; a mistake when its section is there and the value isn't.
    mutating func required(_ key: String, with section: String) -> String? {
        guard lines[section] != nil else { return nil }
        if isMistaken(key) { return nil }
        if let value = text(key), !value.isEmpty { return value }
        let name = String(key.dropFirst(section.count + 1))
        let allowed = ConfigurationSchema.key(section, name)?.allowed ?? ""
        refuse(section, "[\(section)] lacks \"\(name)\"", allowed)
        return nil
    }

    private func isMistaken(_ key: String) -> Bool { lines[key].map(mistakenLines.contains) ?? false }

    mutating func refuse(_ key: String, _ problem: String, _ allowed: String) {
        if isMistaken(key) { return }
        mistakes.append(.init(line: lines[key], problem: problem, allowed: allowed))
    }

    func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }

    func text(_ key: String) -> String? { values[key]?.string }
    func flag(_ key: String) -> Bool? { values[key]?.bool }
    func whole(_ key: String) -> Int? { values[key]?.int }
    func number(_ key: String) -> Double? { values[key].flatMap { $0.double ?? $0.int.map(Double.init) } }
}
