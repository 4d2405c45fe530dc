import Enforcement
import Foundation
import Recognition
import Storage

/// Tries what a box needs, each thing as the box itself uses it.
///
/// While the appliance runs, what it holds (cameras, the modem) is asked of it; otherwise it is tried here.
package struct SelfTest {
    let configuration: Configuration

    /// Names of checks; nil for all.
    let only: Set<String>?

    /// Without what waits for something outside the box: cameras, modem, trigger, server, sound.
    let isShort: Bool

    /// Devices are tried here, whether or not an appliance runs.
    let isDirect: Bool

    /// What a camera's picture shows, for a person; nil when nobody looks.
    let showPicture: (@Sendable (CameraTest.Report) -> Void)?

    package init(
        _ configuration: Configuration, only: Set<String>? = nil, isShort: Bool = false, isDirect: Bool = false,
        showPicture: (@Sendable (CameraTest.Report) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.only = only
        self.isShort = isShort
        self.isDirect = isDirect
        self.showPicture = showPicture
    }

    /// What may be asked for by name.
    package var checks: [String] {
        let inside = ["plate", "database", "disk", "wear", "memory", "temperature", "clock"]
        return configuration.cameras.map { "camera.\($0.name)" } + inside + ["modem", "trigger", "server", "sound"]
    }

    /// Makes the checks one after the other, so that none disturbs another's figures.
    package func run(report: (SelfTestFinding) -> Void) async {
        for check in checks where only?.contains(check) ?? true {
            if isShort, isOutside(check) { continue }
            report(await finding(check))
        }
    }

    private func isOutside(_ check: String) -> Bool {
        check.hasPrefix("camera.") || ["modem", "trigger", "server", "sound"].contains(check)
    }

    /// What a running appliance says of itself; nil when none runs, or it is not to be asked.
    var running: StatusBoard.Report? {
        guard !isDirect, RunLock.isHeld(folder: configuration.dataFolder) else { return nil }
        return StatusBoard.read(folder: configuration.dataFolder)
    }

    private func finding(_ check: String) async -> SelfTestFinding {
        switch check {
        case "plate": return plate()
        case "database": return database()
        case "disk":
            let folder = configuration.dataFolder
            return SelfTestRule.disk(
                freeBytes: DiskSpace.freeBytes(at: folder), isReadOnly: DiskSpace.isReadOnly(at: folder))
        case "wear": return SelfTestRule.wear(tenths: Machine.wornTenths(at: configuration.dataFolder))
        case "memory":
            let memory = Machine.memory
            return SelfTestRule.memory(freeBytes: memory?.free, allBytes: memory?.all)
        case "temperature": return SelfTestRule.temperature(celsius: Machine.hottestCelsius)
        case "clock": return clock()
        case "modem": return await modem()
        case "trigger": return trigger()
        case "server": return server()
        case "sound": return sound()
        default:
            guard let camera = configuration.cameras.first(where: { "camera.\($0.name)" == check }) else {
                return SelfTestFinding(check, .absent, "There is no such thing to try.")
            }
            return await self.camera(camera)
        }
    }

    /// The plate in the picture that comes with the models.
    package static let knownPicture = "known-plate.jpg"
    package static let knownPlate = "B AC 5763"

    private func plate() -> SelfTestFinding {
        let folders = ModelFolder.candidates(given: configuration.reader.models) + ModelFolder.candidates(given: nil)
        let picture = folders.lazy.compactMap {
            FileManager.default.contents(atPath: "\($0)/\(Self.knownPicture)")
        }.first
        guard let picture else {
            return SelfTestFinding("plate", .absent, "There is no \(Self.knownPicture) beside the models.")
        }
        let hint = "`checkpost model verify` says what is wrong with the models; install them again."
        do {
            let recognizer = try PlateRecognizer(
                models: configuration.reader.models, country: configuration.reader.country)
            let began = ContinuousClock.now
            let plates = try recognizer.recognize(picture).readings.map(\.plate.canonical)
            let milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
            guard plates.contains(Self.knownPlate) else {
                let read = plates.isEmpty ? "nothing" : plates.joined(separator: ", ")
                return SelfTestFinding(
                    "plate", .failed, "In the known picture \(read) was read instead of \(Self.knownPlate).", hint: hint
                )
            }
            return SelfTestFinding("plate", .passed, "\(Self.knownPlate) was read in \(milliseconds) ms.")
        } catch {
            return SelfTestFinding("plate", .failed, "Plates can't be read: \(String(sentence: error))", hint: hint)
        }
    }

    private static let writes = 5

    /// Writes to the database that is there; without one, to a file in the data folder.
    private func database() -> SelfTestFinding {
        do {
            guard case .there = Presence.of(configuration.databasePath) else {
                return SelfTestRule.writes("database", try DiskProbe.writes(Self.writes, in: configuration.dataFolder))
            }
            let store = try Store(path: configuration.databasePath)
            defer { try? store.close() }
            return SelfTestRule.writes("database", try (0..<Self.writes).map { _ in try store.tryWriting() })
        } catch let error as StoreError {
            return SelfTestFinding("database", .failed, error.message, hint: error.hint)
        } catch {
            return SelfTestFinding("database", .failed, "\(error)", hint: "Look at the data folder and its disk.")
        }
    }

    private func clock() -> SelfTestFinding {
        // Passages are judged by the same word: the kernel's beside the server's.
        let store =
            Presence.of(configuration.databasePath) == .there ? try? Store(path: configuration.databasePath) : nil
        defer { try? store?.close() }
        let isKept = Machine.isClockSynchronised
        let verdict = store.map { HostClockReader(store: $0).read().clock.verdict } ?? (isKept ? .believed : .unknown)
        let isSimulated = configuration.isClockSimulated
        return SelfTestRule.clock(
            BoxClock.now, isSynchronised: isSimulated || isKept, verdict: isSimulated ? .believed : verdict,
            hasBattery: Machine.hasBatteryClock)
    }
}
