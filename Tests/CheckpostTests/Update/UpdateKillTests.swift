import Enforcement
import Foundation
import TestKit
import Testing

@testable import Appliance

/// The power goes at 50 moments of an update, drawn by chance over all of its steps. What a kill doesn't show is what a disk forgets.
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
        var longest: Double = 3000
        for cut in 0..<Self.cuts {
            try box.reset()
            try box.boot()
            let isGood = cut % 2 == 0
            let began = ContinuousClock.now
            let update = Task { try await box.update(isGood ? good : bad, seconds: isGood ? 3 : 1) }
            // Over what the one before took, so that the late steps are met as often as the early ones.
            let moment = Double.random(in: 0..<longest, using: &random)
            // The short steps are waited for: of all moments few lie in them.
            let short: UpdateMachine.Step? = cut % 10 == 4 ? .confirmed : cut % 10 == 5 ? .returning : nil
            if let short {
                _ = try await box.eventually(30) { box.file.read()?.step == short || box.file.lastEnding != nil }
            }
            // The moment is what is tested.
            try await Task.sleep(
                for: .milliseconds(Int(short == nil ? moment : moment.truncatingRemainder(dividingBy: 400))))
            let step = box.file.read()?.step.rawValue ?? box.file.lastEnding?.kind.rawValue ?? "before"
            box.cutPower()
            _ = try await update.value
            steps[step, default: 0] += 1
            if short != nil {
                // Its moment says nothing of how long the whole takes.
            } else if step == "updated" || step == "went_back" {
                longest = max(500, longest * 0.9)
            } else {
                longest = min(20_000, max(longest, (ContinuousClock.now - began).milliseconds * 1.3))
            }
            let place = "cut \(cut) after \(Int(moment)) ms, at \(step)"
            try expectWhole(box, place)
            try await expectRecording(box, place)
            let ending = try await settle(box, place)
            endings["\(isGood ? "good" : "bad"), \(ending)", default: 0] += 1
            if !isGood { #expect(box.installedVersion == "1.0.0", "\(place)") }
        }
        print("update cuts: at \(steps.sorted { $0.key < $1.key }), then \(endings.sorted { $0.key < $1.key })")
        #expect(steps.count >= 4, "the moments met few steps: \(steps)")
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
