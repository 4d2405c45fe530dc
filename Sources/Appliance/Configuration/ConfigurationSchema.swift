import Enforcement

/// Every key that the configuration may have: what it means, what is allowed, and what holds without it.
///
/// `config check`, `setup` and the sample file all speak from this one list.
struct ConfigurationKey: Sendable {
    enum Kind: Sendable {
        case text
        case choice([String])
        case number(ClosedRange<Double>)
        case whole(ClosedRange<Int>)
        case choiceOfNumber([Int])
        case flag
        case utcOffset
        case mask
        case fines
        case typeSpeeds
        case hourLimits
        case hours
    }

    let section: String
    let name: String
    let kind: Kind
    let isRequired: Bool
    let help: String

    /// As it is written in the file.
    let example: String

    /// The kinds of camera that it belongs to; nil for all.
    var cameraKinds: [String]?

    init(
        _ section: String, _ name: String, _ kind: Kind, required: Bool = false, example: String,
        cameras: [String]? = nil, _ help: String
    ) {
        self.section = section
        self.name = name
        self.kind = kind
        self.isRequired = required
        self.example = example
        self.help = help
        cameraKinds = cameras
    }

    /// What may be written, in words.
    var allowed: String {
        switch kind {
        case .text: "a text in quotes, such as \(example)"
        case .choice(let choices): "one of \(choices.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .number(let range):
            "a number from \(short(range.lowerBound)) to \(short(range.upperBound)), such as \(example)"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound), such as \(example)"
        case .choiceOfNumber(let choices): "one of \(choices.map(String.init).joined(separator: ", "))"
        case .flag: "true or false"
        case .utcOffset: "an offset from UTC in quotes, such as \(example)"
        case .hours: "from one time of day until another in quotes, such as \(example)"
        case .fines:
            "from how much past the limit on, a colon and the rupees, nearest first; after a semicolon the same for the vehicles named "
                + "there, such as \(example)"
        case .typeSpeeds: "vehicle types with a speed in quotes, such as \(example)"
        case .hourLimits:
            "hours with a speed or the word closed in quotes, with a vehicle type or for all, such as \(example)"
        case .mask:
            "left, top, width and height in percent of the picture, several after a semicolon, such as \(example); with a + before it, "
                + "a part to read in and nowhere else; something has to be left"
        }
    }

    private func short(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

package enum ConfigurationSchema {
    package static let cameraKinds = ["folder", "mjpeg", "snapshots", "rtsp", "v4l2"]

    /// The sections in the order of the sample file, with what each is for. `camera` is a list: `[[camera]]`.
    static let sections: [(name: String, help: String, isRequired: Bool)] = [
        ("post", "This checkpost.", true),
        ("segment", "The road between the two checkposts and its limits. The server's values replace these.", true),
        ("camera", "A camera. Repeat the section for each one.", true),
        ("data", "Where records and pictures are kept.", false),
        (
            "retention",
            "How long this box keeps what the server has. What is not synchronized or still open never goes. The server can set these "
                + "for this one post.", false
        ),
        ("backup", "A second place for the database: a copy a day, checked. Name a folder or a label.", false),
        ("update", "Whose packages `checkpost update` takes.", false),
        ("reader", "How plates are read and when a passage is recorded by itself.", false),
        ("matching", "How passages of the two posts are matched.", false),
        ("server", "The account of this box at the park's server.", false),
        ("sync", "How records travel to the server. The server can set these for this one post.", false),
        ("sms", "Passages by SMS, when the server is out of reach.", false),
        ("modem", "The GSM modem for SMS.", false),
        ("trigger", "A loop detector or a radar on a serial line: it tells of each vehicle.", false),
        ("peer", "The direct link to the other post, over a radio or a cable: no server is between the two.", false),
        ("console", "The ranger's page on this box. Without this section none is served.", false),
        ("fines", "What the park asks for a violation: proposed to the ranger, who may change it.", false),
        ("log", "What is written to the journal.", false),
    ]

    static let keys =
        writtenHere + RetentionTuning.configurationKeys + BackupPlace.configurationKeys
        + UpdateSignature.configurationKeys + SyncTuning.configurationKeys + smsKeys + triggerKeys + peerKeys

    private static let writtenHere: [ConfigurationKey] = [
        .init("post", "code", .text, required: true, example: "\"BNP-A\"", "Its short name, unique in the park."),
        .init("post", "name", .text, example: "\"Obhari gate\"", "Its name for people."),
        .init(
            "post", "other_code", .text, required: true, example: "\"BNP-B\"",
            "The code of the checkpost at the other end of the road."),
        .init("post", "position", .whole(0...1), example: "0", "Which end of the road it stands at."),
        .init("segment", "name", .text, example: "\"Banke National Park\"", "Its name for people."),
        .init(
            "segment", "distance_km", .number(0.01...9999.99), required: true, example: "45.0",
            "The distance between the posts in km."),
        .init(
            "segment", "distance_certificate", .text, example: "\"NBSM 2081-117\"",
            "The number of the certificate of the measured distance, for the evidence of a violation."),
        .init(
            "segment", "max_speed_kmh", .number(0.02...300), required: true, example: "40.0",
            "The highest lawful average speed in km/h."),
        .init(
            "segment", "min_speed_kmh", .number(0.01...299), required: true, example: "10.0",
            "The lowest average speed in km/h; slower is an overstay."),
        .init(
            "segment", "tolerance_kmh", .number(0...100), example: "3.0",
            "So many km/h past a limit are no violation yet. The larger tolerance counts; 0 when it isn't set."),
        .init(
            "segment", "tolerance_percent", .number(0...99.99), example: "3.0",
            "So many percent of the limit past it are no violation yet."),
        .init(
            "segment", "type_speeds_kmh", .typeSpeeds, example: "\"truck 30, bus 35\"",
            "Vehicle types whose highest lawful speed is another one, in km/h. Where the posts saw another type each, the higher counts."
        ),
        .init(
            "segment", "hour_limits", .hourLimits, example: "\"22:00-05:00 30, 22:00-05:00 truck closed\"",
            "Hours with a lower limit in km/h or in which the road is closed, in Nepal time. Of a drive's limits the highest counts."
        ),
        .init(
            "camera", "name", .text, required: true, example: "\"gate\"", "Names it in the records. Keep it for good."),
        .init(
            "camera", "kind", .choice(cameraKinds), required: true, example: "\"folder\"",
            "folder: pictures that something puts into a folder; mjpeg: an MJPEG stream over HTTP; snapshots: a JPEG fetched "
                + "again and again over HTTP; rtsp: an RTSP stream; v4l2: a camera on this machine."),
        .init(
            "camera", "path", .text, example: "\"/var/lib/checkpost/incoming\"", cameras: ["folder", "v4l2"],
            "The folder, or the device such as /dev/video0."),
        .init(
            "camera", "url", .text, example: "\"http://192.168.1.64/stream\"", cameras: ["mjpeg", "snapshots", "rtsp"],
            "The camera's address, without user and password."),
        .init(
            "camera", "user", .text, example: "\"viewer\"", cameras: ["mjpeg", "snapshots", "rtsp"],
            "The camera's login."),
        .init(
            "camera", "password_file", .text, example: "\"/etc/checkpost/gate.password\"",
            cameras: ["mjpeg", "snapshots", "rtsp"],
            "A file with the password in its first line, readable by the box only."),
        .init(
            "camera", "verify_tls", .flag, example: "true", cameras: ["mjpeg", "snapshots"],
            "Whether the certificate of an https camera is checked."),
        .init(
            "camera", "interval_seconds", .number(0.1...60), example: "0.5", cameras: ["snapshots"],
            "The time between two snapshots."),
        .init(
            "camera", "frames_per_second", .number(0.1...60), example: "5", cameras: ["mjpeg", "rtsp", "v4l2"],
            "More frames are passed over."),
        .init("camera", "size", .text, example: "\"1280x720\"", cameras: ["v4l2"], "The picture size to ask for."),
        .init(
            "camera", "silent_after_seconds", .number(0...86400), example: "60",
            "The time without a picture that is an alarm; 0 for never. A folder has no alarm unless this is set."),
        .init(
            "camera", "utc_offset", .utcOffset, example: "\"+05:45\"",
            "The offset of the camera's own clock, where its pictures don't tell."),
        .init(
            "camera", "mask", .mask, example: "\"0,0,40,8; 70,92,30,8\"",
            "Where nothing is read, such as the camera's own clock: left, top, width, height in percent of the picture. One with a + before it "
                + "is a zone, such as \"+0,30,100,70\": then nothing is read outside of zones."
        ),
        .init(
            "camera", "approaching", .choice(Travel.allCases.map(\.rawValue)), example: "\"entering\"",
            "What a vehicle that comes towards this camera does: it enters the road between the posts, or leaves it. Only where vehicles "
                + "come towards the camera, or go away from it. Without it the way of a vehicle decides nothing."),
        .init(
            "camera", "recording_confidence", .number(0.3...1), example: "0.8",
            "For this camera, in place of that of [reader]."),
        .init(
            "camera", "devanagari_confidence", .number(0.3...1), example: "0.97",
            "For this camera, in place of that of [reader]."),
        .init(
            "camera", "night", .hours, example: "\"18:30-05:30\"",
            "When it is night for this camera, as clocks at utc_offset show it. Then the two keys below hold."),
        .init(
            "camera", "night_recording_confidence", .number(0.3...1), example: "0.8",
            "By night, in place of recording_confidence."),
        .init(
            "camera", "night_devanagari_confidence", .number(0.3...1), example: "0.97",
            "By night, in place of devanagari_confidence."),
        .init(
            "camera", "min_glyph_px", .number(0...1000), example: "0",
            "Plates whose characters are lower than so many pixels of the picture are passed over, such as those of another road far "
                + "away. 0 for none."),
        .init(
            "camera", "pictures", .choice(FolderPictures.allCases.map(\.rawValue)), example: "\"remove\"",
            cameras: ["folder"],
            "What becomes of a picture in the folder once it is answered for, after folder_days of [retention]: it is removed, moved to "
                + "the folder done beside it, or kept."),
        .init(
            "data", "folder", .text, example: "\"/var/lib/checkpost\"", "The folder for the database and the pictures."),
        .init(
            "data", "spare", .text, example: "\"\(DataHome.usualSpare)\"",
            "A folder on another disk, to record in while that of data.folder is not mounted. The records come home by themselves."
        ),
        .init(
            "reader", "country", .text, example: "\"np\"", "Two letters: its plates are likelier here. \"\" for none."),
        .init("reader", "models", .text, example: "\"/usr/local/share/checkpost/models\"", "The folder of the models."),
        .init(
            "reader", "recording_confidence", .number(0.3...1), example: "0.8",
            "A sighting this sure is recorded by itself; the others wait for a ranger."),
        .init(
            "reader", "devanagari_confidence", .number(0.3...1), example: "0.97",
            "Painted Devanagari plates have to be this sure as well: they are misread the same way again and again."),
        .init(
            "reader", "absence_seconds", .number(1...600), example: "20",
            "A plate unseen for longer has left; seen again, it is a new passage."),
        .init(
            .matchingWindow, example: "24",
            "How far apart an entry and its exit can be."),
        .init("server", "url", .text, example: "\"https://park.example.org\"", "Its address."),
        .init("server", "email", .text, example: "\"bnp-a@bnp.local\"", "The account of this box."),
        .init(
            "server", "password_file", .text, example: "\"/etc/checkpost/server.password\"",
            "A file with the account's password in its first line. It is read at each sign-in."),
        .init(
            "server", "anon_key", .text, example: "\"eyJhbGciOiJIUzI1NiJ9…\"",
            "The key that the server wants with every request: `checkpost-server keys` prints it. It is no secret."),
        .init(
            "server", "ca_file", .text, example: "\"/etc/checkpost/park-ca.pem\"",
            "Certificates that are trusted instead of the system's, for a server with a certificate of its own."),
        .init(
            "console", "address", .text, example: "\"127.0.0.1\"",
            "Where it listens. \"0.0.0.0\" lets other devices of the post come, and needs a certificate or lan_without_tls."
        ),
        .init("console", "port", .whole(1...65535), example: "8080", "The port that it listens on."),
        .init(
            "console", "certificate_file", .text, example: "\"/etc/checkpost/console.pem\"",
            "A certificate in PEM, with its chain: pages are then https."),
        .init("console", "key_file", .text, example: "\"/etc/checkpost/console.key\"", "The certificate's key in PEM."),
        .init(
            "console", "lan_without_tls", .flag, example: "false",
            "Lets other devices come without encryption: who listens on the Wi-Fi reads passwords."),
        .init(
            "console", "sound_device", .text, example: "\"default\"",
            "The ALSA device on which aplay sounds alerts at the box itself. \"\" for none."),
        .init(
            "console", "printer", .text, example: "\"/dev/usb/lp0\"",
            "The device of a receipt printer (ESC/POS) for notices to hand over. \"\" for none."),
        .init(
            "console", "printer_mm", .choiceOfNumber([58, 80]), example: "58", "How wide its paper is, in millimetres."),
        .init(
            "console", "session_hours", .number(0.1...168), example: "12",
            "A browser that is not used for so long is signed out."),
        .init(
            "console", "lock_minutes", .number(0...720), example: "30",
            "The post's own screen asks for the PIN again after so many minutes without a touch, of those who have one. Alerts sound "
                + "and show all the same. 0 for never."),
        .init(
            "console", "metrics_from", .text, example: "\"192.168.10.5, 192.168.10.6\"",
            "Addresses of other machines that may read /metrics (Prometheus), besides this one."),
        .init(
            "console", "offline_days", .number(0...365), example: "14",
            "An account of the park's server is asked about there at each sign-in with its password. Without a link the last word "
                + "counts for so many days, for PINs too. Accounts of `checkpost user add` are the box's own."),
        .init(
            "fines", "speeding", .fines, example: "\"0: 500, 10: 1000, 20: 2000; bus truck 0: 1000, 20: 3000\"",
            "By how many km/h the highest lawful speed was passed. Vehicles: \(VehicleType.allCases.map(\.rawValue).joined(separator: ", "))."
        ),
        .init(
            "fines", "overstay", .fines, example: "\"0: 500, 120: 2000\"",
            "By how many minutes the longest lawful time was passed."),
        .init(
            "log", "level", .choice(["trace", "debug", "info", "notice", "warning", "error"]), example: "\"info\"",
            "The least that is worth a line."),
    ]

    static func keys(of section: String) -> [ConfigurationKey] {
        keys.filter { $0.section == section }
    }

    static func key(_ section: String, _ name: String) -> ConfigurationKey? {
        keys.first { $0.section == section && $0.name == name }
    }
}
