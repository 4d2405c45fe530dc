import Enforcement
import Foundation
import MachineClock
import Storage
import TestKit
import Testing

@testable import Appliance

/// A whole post: the real program on a small disk and a machine that can be bent, a camera folder that vehicles come to, a console, a modem
/// that takes every text, and the real server behind a link that can be cut. It counts what came, and holds the server to it.
final class BoxAtTheRoad {
    static var isPossible: Bool { RealPark.isPossible && BentMachine.isPossible && SmallDisk.isPossible }

    let machine: BentMachine
    let disk: SmallDisk
    let box: RunningAppliance
    let park: RealPark
    let link: LoopbackProxy
    private(set) var modem: ScriptedModem?
    private let modemPath: String
    private let vehicles: [SampleVehicle]
    private let isClockSimulated: Bool

    /// How many vehicles of each plate have come.
    private(set) var came: [String: Int] = [:]
    private var pictures = 0
    private var delivered: Set<String> = []

    /// How often the service was started again, each after the pause that the unit says.
    private(set) var restarts = 0
    private static let restartPause = TimeSpan.seconds(2)
    private var goneSince: Instant?

    struct Passing {
        var plate: String
        var first: Instant
        var last: Instant

        /// How far the clock was ahead that stamped it.
        var ahead: TimeSpan
    }

    /// - Parameter outside: what the box is given besides its server and its modem.
    init(isClockSimulated: Bool = false, outside given: RunningAppliance.Outside = .init()) throws {
        self.isClockSimulated = isClockSimulated
        vehicles = try SampleVehicle.all()
        park = try RealPark(port: FreePort.next())
        link = try LoopbackProxy(to: try park.port)
        disk = try SmallDisk(megabytes: 256)
        modemPath = NSTemporaryDirectory() + "modem-\(UUID().uuidString)"
        var outside = given
        outside.server = "http://127.0.0.1:\(link.port)"
        outside.key = park.key
        outside.password = "right-and-long-enough"
        outside.modem = modemPath
        // For an outage of five minutes one of three seconds.
        outside.sms = "ranger_phone = \"+977 9841 234321\"\nafter_minutes = 0.05"
        outside.more += "\n[sync]\ninterval_seconds = 2\nlongest_backoff_seconds = 5\n"
        box = try RunningAppliance(disk: disk, hasSpare: true, outside: outside)
        machine = try BentMachine(
            in: box.folder, disk: ["\(box.folder.url.lastPathComponent)/data", disk.folder.lastPathComponent])
        _ = try box.folder.write(Self.query, to: "query.py")
        try plugModem()
    }

    deinit {
        unplugModem()
        disk.remove()
    }

    // MARK: The service

    func start() throws {
        goneSince = nil
        try box.startAgain(isClockSimulated: isClockSimulated, environment: machine.environment)
    }

    /// What the system does with a service that ended, two seconds later.
    func keepRunning() throws {
        guard !box.isRunning else { return goneSince = nil }
        let now = MachineClock.uptime
        guard let since = goneSince else { return goneSince = now }
        guard now - since >= Self.restartPause else { return }
        restarts += 1
        try start()
    }

    /// Waits until something is so, and plays the system meanwhile.
    func eventually(_ seconds: Double, _ condition: () throws -> Bool) async throws -> Bool {
        try await box.eventually(seconds) {
            try keepRunning()
            return try condition()
        }
    }

    // MARK: Modem

    func plugModem() throws {
        let modem = try ScriptedModem(Dialogue(text: FallbackRig.ready + FallbackRig.accepting))
        try FileManager.default.createSymbolicLink(atPath: modemPath, withDestinationPath: modem.path)
        self.modem = modem
    }

    func unplugModem() {
        unlink(modemPath)
        modem?.stop()
        modem = nil
    }

    // MARK: Vehicles

    /// A plate that is seen again within the 20 seconds of `absence_seconds` is the same vehicle still.
    private static let away = TimeSpan.seconds(25)
    private var cameAt: [String: Instant] = [:]

    /// Waits until each of the next two vehicles has been away for so long that it is another passage.
    func awaitNextVehicles() async throws {
        let number = came.values.reduce(0, +)
        for vehicle in (number...number + 1).map({ vehicles[$0 % vehicles.count] }) {
            guard let last = cameAt[vehicle.plate] else { continue }
            let rest = Self.away - (MachineClock.uptime - last)
            // The time that passes is what is waited for.
            if rest > .milliseconds(0) { try await Task.sleep(for: .milliseconds(Int(rest.seconds * 1000))) }
        }
    }

    /// A vehicle passes: its pictures lie in the camera's folder, the last one taken now.
    func pass() throws -> Passing {
        let vehicle = vehicles[came.values.reduce(0, +) % vehicles.count]
        let last = machine.now
        let first = last - .milliseconds(Int64(400 * (vehicle.frames.count - 1)))
        for (index, frame) in vehicle.frames.enumerated() {
            pictures += 1
            try box.arrive(SampleVehicle.marked(frame, pictures), at: first + .milliseconds(Int64(400 * index)))
        }
        came[vehicle.plate, default: 0] += 1
        cameAt[vehicle.plate] = MachineClock.uptime
        return Passing(plate: vehicle.plate, first: first, last: last, ahead: machine.ahead)
    }

    /// Whether it is on record at the box. A time that was put right counts as well.
    func isRecorded(_ passing: Passing) throws -> Bool {
        let times = [TimeSpan.milliseconds(0), passing.ahead].map { ahead in
            "recorded_at between \((passing.first - ahead).milliseconds - 2000) and \((passing.last - ahead).milliseconds + 2000)"
        }
        // A page that was spoiled is no news to the box before it needs it: the newest rows are looked at first, without the others.
        for passages in ["(select * from passages order by rowid desc limit 30)", "passages"] {
            let found = try everywhere(
                "select count(*) from \(passages) where plate_compact = '\(passing.plate)' and (\(times.joined(separator: " or ")))"
            )
            if found.contains(where: { $0 != "0" }) { return true }
        }
        return false
    }

    /// Takes the pictures out of the camera's folder, as a camera does that shows nothing twice.
    func clearPictures() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: box.folder["incoming"].path) {
            try FileManager.default.removeItem(at: box.folder["incoming/" + name])
        }
    }

    // MARK: What is on record

    /// Looks into the database as another program does that only reads: without making, mending or judging it.
    private static let query = """
        import sqlite3, sys
        c = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True, timeout=2)
        for row in c.execute(sys.argv[2]): print('|'.join(str(field) for field in row))
        """

    /// Rows of the box's database, columns separated by `|`; nil while it can't be read.
    func rows(_ sql: String, in folder: String = "data") throws -> [String]? {
        let database = box.folder[folder + "/checkpost.sqlite"].path
        guard FileManager.default.fileExists(atPath: database) else { return nil }
        let result = try OtherProgram.runAndWait(
            "/usr/bin/env", ["python3", box.folder["query.py"].path, database, sql],
            limitSeconds: 60)
        return result.status == 0 ? result.output.split(separator: "\n").map(String.init) : nil
    }

    /// What the data folder and the spare folder have together.
    private func everywhere(_ sql: String) throws -> [String] {
        try (rows(sql) ?? []) + (rows(sql, in: "spare/data") ?? [])
    }

    /// Gives the server every text that the modem has had, as the provider does.
    func deliverTexts() throws {
        for text in try everywhere("select text from sms_messages where hand_overs > 0 and text <> ''")
        where !delivered.contains(text) {
            #expect(try park.deliver(text) == 200, "\(text)")
            delivered.insert(text)
        }
    }

    var texts: Int { delivered.count }

    /// What the server has of each plate.
    func arrived() throws -> [String: Int] {
        let rows = try park.query("select replace(plate_number, ' ', ''), count(*) from vehicle_passages group by 1")
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let fields = row.split(separator: "|").map(String.init)
                return (fields[0], Int(fields[1]) ?? 0)
            })
    }

    /// Waits until every vehicle that came is at the server, and holds it to that: each once.
    ///
    /// It waits for longer than a synchronization that was stopped is waited for, which is five minutes.
    ///
    /// - Returns: whether it was so; what was found counts as right from then on.
    @discardableResult
    func settle(_ place: String, seconds: Double = 480) async throws -> Bool {
        // Whoever stopped a part lets it go on.
        for part in box.children() { kill(part, SIGCONT) }
        _ = try await eventually(seconds) { try arrived().values.reduce(0, +) >= came.values.reduce(0, +) }
        try deliverTexts()
        let found = try arrived()
        defer { came = found }
        let waiting = try rows(
            "select status, count(*), max(last_error) from sync_queue where status <> 'synced' group by 1")
        #expect(found == came, "\(place): the server has \(found), there came \(came); in the queue \(waiting ?? [])")
        return found == came
    }
}
