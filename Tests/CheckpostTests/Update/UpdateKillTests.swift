import Enforcement
import Foundation
import TestKit
import Testing

@testable import Appliance

/// The power goes at 50 moments of an update, drawn by chance in each of its steps. What a kill doesn't show is what a disk forgets.
@Suite(
    "An update that the power cuts off",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-deb")),
    .timeLimit(.minutes(40)))
struct UpdateKillTests {
    private static let cuts = Int(ProcessInfo.processInfo.environment["CHECKPOST_CUTS"] ?? "") ?? 50

    @Test func `leaves one version that is whole, and it records`() async throws {
        var random = SeededGenerator(seed: Seed.drawn())
        let box = try UpdateRoot()
        let good = try box.package("2.0.0", script: UpdateRoot.program("2.0.0", run: UpdateRoot.beats))
        let bad = try box.package("2.1.0", script: UpdateRoot.program("2.1.0", run: "sleep 0.3; exit 3"))
        var (steps, endings) = ([String: Int](), [String: Int]())
        let stretches = [true: try await timed(box, good), false: try await timed(box, bad)]
        for cut in 0..<Self.cuts {
            try box.reset()
            try box.boot()
            let isGood = cut % 2 == 0
            // Each stretch in turn, so that the short ones are met as often as the long ones, however fast the machine.
            let stretch = stretches[isGood]![(cut / 2) % stretches[isGood]!.count]
            let update = Task { try await box.update(isGood ? good : bad, seconds: Self.trial(isGood)) }
            try await reach(stretch.name, of: box)
            // The moment is what is tested.
            let moment = Double.random(in: 0..<max(1, stretch.milliseconds), using: &random)
            try await Task.sleep(for: .milliseconds(Int(moment)))
            let step = Self.stretch(of: box)
            box.cutPower()
            _ = try await update.value
            steps[step, default: 0] += 1
            let place = "cut \(cut), \(Int(moment)) ms after \(stretch.name), at \(step)"
            try expectWhole(box, place)
            try await expectRecording(box, place)
            let ending = try await settle(box, place)
            endings["\(isGood ? "good" : "bad"), \(ending)", default: 0] += 1
            if !isGood { #expect(box.installedVersion == "1.0.0", "\(place)") }
        }
        print("update cuts: at \(steps.sorted { $0.key < $1.key }), then \(endings.sorted { $0.key < $1.key })")
        #expect(steps.count >= 4, "the moments met few steps: \(steps)")
    }

    private static func trial(_ isGood: Bool) -> Double { isGood ? 3 : 1 }

    /// The step that an update is at, or how it ended.
    private static func stretch(of box: UpdateRoot) -> String {
        box.file.read()?.step.rawValue ?? box.file.lastEnding?.kind.rawValue ?? "before"
    }

    /// An update that nothing cuts off: its steps in their order, and how long each lasted.
    private func timed(_ box: UpdateRoot, _ package: String) async throws -> [(name: String, milliseconds: Double)] {
        try box.reset()
        try box.boot()
        let isGood = package.contains("_2.0.0_")
        let update = Task { try await box.update(package, seconds: Self.trial(isGood)) }
        var seen = [(name: "before", began: ContinuousClock.now)]
        let end = ContinuousClock.now + .seconds(120)
        while box.file.lastEnding == nil, ContinuousClock.now < end {
            let name = Self.stretch(of: box)
            if name != seen.last?.name { seen.append((name, .now)) }
            // Often, since the shortest step takes some milliseconds.
            try await Task.sleep(for: .milliseconds(2))
        }
        seen.append((Self.stretch(of: box), .now))
        _ = try await update.value
        let ended = ContinuousClock.now
        return zip(seen, seen.dropFirst().map(\.began) + [ended + .milliseconds(300)]).map {
            ($0.name, ($1 - $0.began).milliseconds)
        }
    }

    /// Until the update is at this step, or past it.
    private func reach(_ name: String, of box: UpdateRoot) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while name != "before", Self.stretch(of: box) != name, box.file.lastEnding == nil, ContinuousClock.now < end {
            // Often, since the shortest step takes some milliseconds.
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// What is chosen is a program that answers.
    private func expectWhole(_ box: UpdateRoot, _ place: String) throws {
        let said = try OtherProgram.runAndWait(box.program, ["--version"])
        #expect(said.status == 0 && said.output.hasPrefix("checkpost "), "\(place): \(said.output)")
    }

    private func expectRecording(_ box: UpdateRoot, _ place: String) async throws {
        try box.boot()
        #expect(try await box.eventually(90) { box.oldRecords || box.newRecords }, "\(place): nothing records")
    }

    /// What was begun comes to its end by itself, and one version records.
    private func settle(_ box: UpdateRoot, _ place: String) async throws -> String {
        let log = box.root + "/watch.log"
        #expect(
            try await box.eventually(90) { box.file.read() == nil },
            "\(place): it has no end: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
        // The one that was ended may have beaten a second ago, while the other one still comes up.
        #expect(
            try await box.eventually(90) {
                let isNew = box.installedVersion == "2.0.0"
                return box.newRecords == isNew && box.oldRecords != isNew
            }, "\(place): which one? \(box.installedVersion) is installed")
        #expect(box.places.chosenBeside == nil, "\(place)")
        return box.file.lastEnding?.kind.rawValue ?? "not begun"
    }
}
