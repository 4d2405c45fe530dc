import Enforcement
import Foundation
import MachineClock
import TestKit
import Testing

/// What can happen to a box at the roadside.
enum Fault: String, CaseIterable {
    /// For comparison.
    case nothing
    case boxKilled, partKilled, boxStopped, partStopped
    case diskFull, diskReadOnly, diskReadOnlyAtStart, pageDamaged, databaseDamaged, logGone, photosGone
    case hourForward, hourBack, dayForward, dayBack, bootIn1970
    case cameraGone, modemGone, linkGone, serverKilled

    /// So many rounds in which each comes as often as the others, in an order by chance.
    ///
    /// - Parameter only: the names of those that come, separated by commas; nil for all.
    static func drawn(_ rounds: Int, only: String?, _ random: inout SeededGenerator) -> [Fault] {
        let named = only?.split(separator: ",").compactMap { Fault(rawValue: String($0)) }
        var faults: [Fault] = []
        while faults.count < rounds { faults += (named ?? allCases).shuffled(using: &random) }
        return Array(faults.prefix(rounds))
    }

    /// What it costs is in the database alone: it may come only when the server has everything.
    var needsAllSent: Bool { [.pageDamaged, .databaseDamaged, .logGone].contains(self) }

    /// Goes on for some rounds, whatever else happens.
    var stands: Bool { [.modemGone, .linkGone, .serverKilled].contains(self) }
}

extension BoxAtTheRoad {
    /// Lets a fault happen and, where that is in nobody's hands at the post, ends it: then the box is on its own.
    ///
    /// - Parameters:
    ///   - stop: how long whoever is stopped is stopped for.
    ///   - meanwhile: called while the fault lasts.
    func strike(
        _ fault: Fault, stop: TimeSpan, _ random: inout SeededGenerator, meanwhile: () throws -> Void
    ) async throws {
        switch fault {
        case .nothing: break
        case .boxKilled: kill(box.pid, SIGKILL)
        case .partKilled: if let part = box.children().randomElement(using: &random) { kill(part, SIGKILL) }
        case .boxStopped:
            // The supervisor first, so that it doesn't start the others again.
            let all = [box.pid] + box.children()
            for process in all { kill(process, SIGSTOP) }
            try meanwhile()
            // As long as it is stopped.
            try await Task.sleep(for: .milliseconds(Int(stop.seconds * 1000)))
            for process in all { kill(process, SIGCONT) }
        case .partStopped: if let part = box.children().randomElement(using: &random) { kill(part, SIGSTOP) }
        case .diskFull:
            disk.fill()
            try meanwhile()
            try await pause(&random)
            try disk.makeRoom()
        case .diskReadOnly:
            machine.diskError = EROFS
            try meanwhile()
            try await pause(&random)
            machine.diskError = 0
        case .diskReadOnlyAtStart:
            try await killAll()
            try await remount("ro")
            try start()
            try meanwhile()
            try await pause(&random)
            try await remount("rw")
        case .pageDamaged: try damage(oneOf: Int.random(in: 0..<1_000_000, using: &random))
        case .databaseDamaged: try damage(oneOf: nil)
        case .logGone: for suffix in ["-wal", "-shm"] { unlink(box.folder["data/checkpost.sqlite" + suffix].path) }
        case .photosGone: try? FileManager.default.removeItem(at: box.folder["data/photos"])
        case .hourForward: machine.ahead = .hours(1)
        case .hourBack: machine.ahead = .hours(-1)
        case .dayForward: machine.ahead = .hours(24)
        case .dayBack: machine.ahead = .hours(-24)
        case .bootIn1970:
            try await killAll()
            machine.isSynchronised = false
            // As on a machine without a battery: since 1970 there passed what passed since its start.
            machine.ahead = MachineClock.uptime - MachineClock.now
            try start()
        case .cameraGone:
            try FileManager.default.moveItem(at: box.folder["incoming"], to: box.folder["away"])
            try await pause(&random)
            try FileManager.default.moveItem(at: box.folder["away"], to: box.folder["incoming"])
        case .modemGone: unplugModem()
        case .linkGone: link.cut()
        case .serverKilled: park.stop()
        }
    }

    /// A fault that stands comes to its end.
    func lift(_ fault: Fault) throws {
        switch fault {
        case .modemGone: try plugModem()
        case .linkGone: try link.restore()
        case .serverKilled: try park.start()
        default: break
        }
    }

    /// The time service sets the clock.
    func tellTime() {
        machine.isSynchronised = true
        machine.ahead = .milliseconds(0)
    }

    private func pause(_ random: inout SeededGenerator) async throws {
        // As long as the fault lasts.
        try await Task.sleep(for: .milliseconds(Int.random(in: 500...4000, using: &random)))
    }

    /// A power cut: nothing of the box is left.
    private func killAll() async throws {
        let all = [box.pid] + box.children()
        for process in all { kill(process, SIGKILL) }
        #expect(try await box.eventually { !box.isRunning && all.allSatisfy { kill($0, 0) != 0 } })
    }

    private func remount(_ how: String) async throws {
        var said = ""
        // Whoever wrote to it may be a moment from its end.
        let isDone = try await box.eventually(10) {
            let result = try OtherProgram.runAndWait(
                "/bin/mount", ["-o", "remount,\(how)", disk.folder.path], limitSeconds: 60)
            said = result.output
            return result.status == 0
        }
        #expect(isDone, "remount \(how): \(said)")
    }

    /// Writes rubbish over one page of the database, or over all but the first, as a card does that forgets a block.
    private func damage(oneOf number: Int?) throws {
        let script = """
            import os, sqlite3, sys
            c = sqlite3.connect(sys.argv[1], timeout=30)
            c.execute('pragma wal_checkpoint(truncate)')
            c.close()
            pages = os.path.getsize(sys.argv[1]) // 4096
            with open(sys.argv[1], 'r+b') as f:
                which = [1 + int(sys.argv[2]) % (pages - 1)] if sys.argv[2] else range(1, pages)
                for page in which:
                    f.seek(4096 * page)
                    f.write(b'\\xa5' * 4096)
            """
        let result = try OtherProgram.runAndWait(
            "/usr/bin/env",
            ["python3", "-c", script, box.folder["data/checkpost.sqlite"].path, number.map(String.init) ?? ""],
            limitSeconds: 60)
        #expect(result.status == 0, "\(result.output)")
    }
}
