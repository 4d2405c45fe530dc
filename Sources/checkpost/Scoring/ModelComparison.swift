import Enforcement
import Foundation
import Recognition

/// Says which pictures read differently with another folder of models.
struct ModelComparison {
    enum Verdict: String, Codable {
        case better, worse

        /// Different, and nobody said what is right.
        case different
    }

    struct Difference: Encodable {
        var file: String
        var old: String?
        var oldConfidence: Double
        var new: String?
        var newConfidence: Double
        var verdict: Verdict
    }

    struct Report: Encodable {
        var pictures = 0
        var unreadable = 0
        var same = 0
        var better = 0
        var worse = 0
        var different = 0
        var differences: [Difference] = []

        var text: String {
            var lines = differences.map { difference in
                let old = difference.old ?? "nothing"
                let new = difference.new ?? "nothing"
                return
                    "\(difference.verdict.rawValue): \(difference.file): \(old) (\(Output.decimal(difference.oldConfidence, 2)))"
                    + " is now \(new) (\(Output.decimal(difference.newConfidence, 2)))"
            }
            lines.append(
                "\(pictures) pictures: \(same) read the same, \(better) better, \(worse) worse, "
                    + "\(different) differently, \(unreadable) unreadable")
            return lines.joined(separator: "\n")
        }
    }

    /// More pictures than this are not compared in one call.
    static let maximumPictures = 100_000

    let old: PlateRecognizer
    let new: PlateRecognizer
    let truth: TruthTable?

    /// The pictures of the folders, and those that are named, in order of their paths.
    static func pictures(in paths: [String]) throws -> [String] {
        var found: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw CommandError("There is nothing at \(path).", hint: "Give a folder of pictures, or a picture.")
            }
            guard isFolder.boolValue else {
                found.append(path)
                continue
            }
            let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            found += inside.filter { ["jpg", "jpeg", "png"].contains(($0 as NSString).pathExtension.lowercased()) }
                .map { path + "/" + $0 }
        }
        guard !found.isEmpty else {
            throw CommandError("There is no picture.", hint: "Give a folder with JPEG or PNG pictures.")
        }
        return Array(found.sorted().prefix(maximumPictures))
    }

    func compare(_ pictures: [String]) -> Report {
        var report = Report()
        var progress = Progress("comparing", total: pictures.count)
        for path in pictures {
            report.pictures += 1
            defer { progress.advance(path) }
            guard let data = try? PictureFile.read(path), let before = try? old.recognize(data),
                let after = try? new.recognize(data)
            else {
                report.unreadable += 1
                continue
            }
            note(path, before.readings.first, after.readings.first, &report)
        }
        progress.finish()
        return report
    }

    private func note(_ path: String, _ before: PlateReading?, _ after: PlateReading?, _ report: inout Report) {
        guard before?.plate != after?.plate else {
            report.same += 1
            return
        }
        let verdict = verdict(path, before?.plate, after?.plate)
        switch verdict {
        case .better: report.better += 1
        case .worse: report.worse += 1
        case .different: report.different += 1
        }
        report.differences.append(
            Difference(
                file: path, old: before?.plate.canonical, oldConfidence: before?.confidence ?? 0,
                new: after?.plate.canonical, newConfidence: after?.confidence ?? 0, verdict: verdict))
    }

    private func verdict(_ path: String, _ before: Plate?, _ after: Plate?) -> Verdict {
        let name = (path as NSString).lastPathComponent
        guard let entries = truth?.entries.filter({ $0.file == name }), !entries.isEmpty else { return .different }
        let right = Set(entries.map { $0.plate.map { LookAlike.folded($0.compact) } })
        let wasRight = right.contains(before.map { LookAlike.folded($0.compact) })
        let isRight = right.contains(after.map { LookAlike.folded($0.compact) })
        return wasRight == isRight ? .different : isRight ? .better : .worse
    }
}
