import Enforcement
import Foundation
import Recognition
import Storage

/// Writes the plates that rangers confirmed or corrected as material for `models/train`.
///
/// A folder with one PNG a plate, its surroundings cut away but for a quarter of the plate's sides, and `truth.csv`:
///
/// | column | what |
/// | --- | --- |
/// | file | the picture |
/// | x, y, w, h | the plate's box in it, in pixels, origin top left |
/// | plate | its text in its own script, rows from top to bottom, without spaces, dots or dashes |
/// | country | two letters; empty when the plate doesn't say |
/// | word | `confirmed` or `corrected` |
/// | taught_at | when the ranger said so |
package struct TrainingExport {
    /// What was written, and what wasn't and why.
    package struct Report: Equatable {
        package var confirmed = 0
        package var corrected = 0

        /// Typed by a ranger without a place in a picture.
        package var withoutPlace = 0
        package var withoutPhoto = 0

        /// The picture is damaged, or isn't the one that was recorded.
        package var unreadable = 0

        /// Provincial plates of which the reader didn't see whether the number or the name is painted.
        package var unspellable = 0

        package var written: Int { confirmed + corrected }

        package var text: String {
            var parts = ["\(written) plates: \(confirmed) confirmed, \(corrected) corrected by rangers."]
            for (count, why) in [
                (withoutPlace, "typed without a place in a picture"), (withoutPhoto, "without a photo"),
                (unreadable, "whose photo is damaged"),
                (unspellable, "of a province, painted as a name or a number: it isn't known which"),
            ] where count > 0 { parts.append("Left out: \(count) \(why).") }
            return parts.joined(separator: " ")
        }
    }

    let photos: PhotoStore

    package init(photos: PhotoStore) { self.photos = photos }

    /// Writes the folder whole or not at all: until it is complete it lies beside its place.
    ///
    /// - Throws: `AdvisedError` when the folder is there already, can't be written, or would be empty.
    package func write(
        _ plates: [TaughtPlate], to output: String, tell: LabEvent.Teller
    ) throws -> Report {
        let target = URL(fileURLWithPath: output)
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw AdvisedError("\(output) is there already.", hint: "Name a new folder, or remove that one first.")
        }
        let partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString.prefix(8)).part")
        do {
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
        } catch {
            throw AdvisedError("\(output) can't be made.", hint: "Check its folder and the permissions.")
        }
        defer { try? FileManager.default.removeItem(at: partial) }
        let report = try writePictures(plates, in: partial, tell)
        guard report.written > 0 else {
            throw AdvisedError(
                "There is nothing to teach: \(report.text)",
                hint: "Rangers teach by `checkpost reviews record`, `checkpost passages correct` and on the console.")
        }
        guard rename(partial.path, target.path) == 0 else {
            throw AdvisedError("\(output) can't be made.", hint: "Check its folder and the permissions.")
        }
        return report
    }

    private func writePictures(
        _ plates: [TaughtPlate], in folder: URL, _ tell: LabEvent.Teller
    ) throws -> Report {
        var report = Report()
        tell(.begun("writing plates", total: plates.count))
        var table = ["file,x,y,w,h,plate,country,word,taught_at"]
        for plate in plates {
            defer { tell(.advanced(plate.passage.plate.canonical)) }
            guard let cut = cut(plate, &report) else { continue }
            let name = plate.passage.clientID.uuidString.lowercased() + ".png"
            do {
                try cut.cut.png.write(to: folder.appendingPathComponent(name))
            } catch {
                throw AdvisedError("\(name) can't be written.", hint: "Is the disk full?")
            }
            let box = cut.cut.box
            let word = plate.isCorrected ? "corrected" : "confirmed"
            table.append(
                "\(name),\(box.x),\(box.y),\(box.width),\(box.height),\(cut.text),\(country(of: plate)),\(word),"
                    + plate.taughtAt.iso8601)
            if plate.isCorrected { report.corrected += 1 } else { report.confirmed += 1 }
        }
        tell(.finished)
        try write(table, to: folder.appendingPathComponent("truth.csv"))
        return report
    }

    private func write(_ lines: [String], to file: URL) throws {
        do {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw AdvisedError(
                "\(file.path) can't be written: \(error.localizedDescription)", hint: "Is the disk full?")
        }
    }

    private func cut(_ plate: TaughtPlate, _ report: inout Report) -> (cut: PictureCrop.Cut, text: String)? {
        guard let reading = plate.reading else {
            report.withoutPlace += 1
            return nil
        }
        guard let photo = plate.photo else {
            report.withoutPhoto += 1
            return nil
        }
        guard let text = PlateSpelling.painted(plate.passage.plate, raw: reading.raw) else {
            report.unspellable += 1
            return nil
        }
        guard let picture = try? photos.read(photo), PhotoStore.sha256(of: picture) == photo.sha256,
            let cut = try? PictureCrop.png(of: picture, box: reading.box)
        else {
            report.unreadable += 1
            return nil
        }
        return (cut, text)
    }

    private func country(of plate: TaughtPlate) -> String {
        let compact = plate.passage.plate.compact
        let named = plate.reading.flatMap { PlateFormat.named($0.format) }
        return ((named.map { [$0] } ?? []) + PlateFormat.covered)
            .first { $0.fields(compactLatin: compact) != nil }?.country?.code ?? ""
    }
}
