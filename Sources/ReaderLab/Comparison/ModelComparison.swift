import Enforcement
import Foundation
import Recognition
import Storage

/// Says which pictures read differently with another folder of models.
package struct ModelComparison {
    package enum Verdict: String, Codable {
        case better, worse

        /// Different, and nobody said what is right.
        case different
    }

    package struct Difference: Encodable {
        package var file: String
        package var old: String?
        package var oldConfidence: Double
        package var new: String?
        package var newConfidence: Double
        package var verdict: Verdict
    }

    package struct Report: Encodable {
        package var pictures = 0
        package var unreadable = 0
        package var same = 0
        package var better = 0
        package var worse = 0
        package var different = 0
        package var differences: [Difference] = []

    }

    /// A picture and what is known of it.
    package struct Picture {
        package var path: String

        /// What is right to read, folded, nil among them where nothing is; nil when nobody said.
        package var right: Set<String?>?

        /// Where the plate stands that is meant; nil for the likeliest reading, wherever it is.
        package var box: Box?
    }

    /// More pictures than this are not compared in one call.
    static let maximumPictures = 100_000

    let old: PlateRecognizer
    let new: PlateRecognizer

    package init(old: PlateRecognizer, new: PlateRecognizer) {
        self.old = old
        self.new = new
    }

    /// The pictures of the folders, and those that are named, in order of their paths.
    package static func pictures(in paths: [String], truth: TruthTable?) throws -> [Picture] {
        let named = Dictionary(grouping: truth?.entries ?? [], by: \.file)
        return try files(in: paths).map { path in
            let entries = named[(path as NSString).lastPathComponent]
            return Picture(
                path: path, right: entries.map { Set($0.map { $0.plate.map { LookAlike.folded($0.compact) } }) })
        }
    }

    /// The photos of a post's passages, the newest first; right is what a ranger confirmed or corrected.
    package static func pictures(of store: Store, photosIn folder: URL) throws -> [Picture] {
        var taught: [UUID: TaughtPlate] = [:]
        var found: [Picture] = []
        for code in try store.passages.checkpostCodes() {
            for plate in try store.passages.taught(checkpostCode: code) { taught[plate.passage.clientID] = plate }
        }
        try store.passages.forEach(PassageFilter(includesWithdrawn: false)) { stored in
            guard let sha256 = stored.passage.photoSHA256, let photo = try store.photos.record(sha256: sha256) else {
                return
            }
            let word = taught[stored.passage.clientID]
            found.append(
                Picture(
                    path: folder.appendingPathComponent(photo.path).path,
                    right: word.map { [LookAlike.folded($0.passage.plate.compact)] }, box: word?.reading?.box))
        }
        guard !found.isEmpty else {
            throw AdvisedError("No passage has a photo.", hint: "Name pictures, or another --database.")
        }
        return found.reversed().prefix(maximumPictures).map { $0 }
    }

    private static func files(in paths: [String]) throws -> [String] {
        var found: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw AdvisedError("There is nothing at \(path).", hint: "Give a folder of pictures, or a picture.")
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
            throw AdvisedError("There is no picture.", hint: "Give a folder with JPEG or PNG pictures.")
        }
        return Array(found.sorted().prefix(maximumPictures))
    }

    package func compare(_ pictures: [Picture], tell: LabEvent.Teller) -> Report {
        var report = Report()
        tell(.begun("comparing", total: pictures.count))
        for picture in pictures {
            report.pictures += 1
            defer { tell(.advanced(picture.path)) }
            guard let data = try? PictureFile.read(picture.path), let before = try? old.recognize(data),
                let after = try? new.recognize(data)
            else {
                report.unreadable += 1
                continue
            }
            note(picture, meant(before.readings, picture), meant(after.readings, picture), &report)
        }
        tell(.finished)
        return report
    }

    /// The reading of the plate that is meant: the likeliest on its place.
    private func meant(_ readings: [PlateReading], _ picture: Picture) -> PlateReading? {
        guard let box = picture.box else { return readings.first }
        return readings.first { $0.box.overlap(box) > 0.2 }
    }

    private func note(_ picture: Picture, _ before: PlateReading?, _ after: PlateReading?, _ report: inout Report) {
        guard before?.plate != after?.plate else {
            report.same += 1
            return
        }
        let verdict = verdict(picture, before?.plate, after?.plate)
        switch verdict {
        case .better: report.better += 1
        case .worse: report.worse += 1
        case .different: report.different += 1
        }
        report.differences.append(
            Difference(
                file: picture.path, old: before?.plate.canonical, oldConfidence: before?.confidence ?? 0,
                new: after?.plate.canonical, newConfidence: after?.confidence ?? 0, verdict: verdict))
    }

    private func verdict(_ picture: Picture, _ before: Plate?, _ after: Plate?) -> Verdict {
        guard let right = picture.right else { return .different }
        let wasRight = right.contains(before.map { LookAlike.folded($0.compact) })
        let isRight = right.contains(after.map { LookAlike.folded($0.compact) })
        return wasRight == isRight ? .different : isRight ? .better : .worse
    }
}
