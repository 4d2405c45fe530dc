import Enforcement
import Foundation
import ReaderLab
import Recognition
import Storage
import Testing

@testable import Appliance
@testable import checkpost

@Suite("A post that teaches its reader", .timeLimit(.minutes(15)))
struct PostTeachingTests {
    private let folder: TemporaryFolder
    private let database: String
    private let noon = Instant(iso8601: "2026-11-21T06:15:00Z") ?? Instant(milliseconds: 0)

    init() throws {
        folder = try TemporaryFolder()
        database = folder["checkpost.sqlite"].path
    }

    /// A post that saw three vehicles: it was unsure of two, and recorded the third by itself.
    private func fill() throws {
        let store = try Store(path: database)
        let seen = [
            ("clean_zonal_ba_car.jpg", "BA 2 CHA 7316", "बा२च ७३१६", Box(x: 514, y: 411, width: 252, height: 129)),
            ("clean_embossed_b_car.jpg", "B AF 4821", "BAF4821", Box(x: 519, y: 445, width: 242, height: 60)),
            ("clean_india_up_car.jpg", "UP 32 KT 4817", "UP32KT4817", Box(x: 525, y: 447, width: 230, height: 56)),
        ]
        var commit = FrameCommit(camera: "gate", at: noon)
        for (number, (name, plate, raw, box)) in seen.enumerated() {
            let picture = try Data(contentsOf: Checkout.samples.appendingPathComponent("stills/\(name)"))
            let photo = try PhotoStore(folder: folder.url).keep(picture, recordedAt: noon, at: noon)
            let frame = FrameReference(
                sha256: photo.sha256, camera: "gate", recordedAt: noon, clockState: .synchronised)
            let reading = PlateReading(
                plate: Plate(canonical: plate), raw: raw, confidence: 0.6, box: box, format: "", candidates: [],
                characters: [])
            let sighting = Sighting(
                number: number + 1, camera: "gate", firstSeenAt: noon, lastSeenAt: noon, frameCount: 1,
                bestFrame: frame, reading: reading)
            commit.photos.append(photo)
            if number < 2 {
                commit.reviews.append(sighting)
            } else {
                let passage = PassageRecorder(checkpostCode: "BNP-A").passage(of: sighting, hasPhoto: true)
                commit.recordings.append(.init(passage: passage, sighting: sighting))
            }
        }
        try store.frames.commit(commit)
        try store.close()
    }

    private func run(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(
            arguments + ["--database", database], environment: ["CHECKPOST_CONFIG": folder["none"].path])
    }

    private func teach() async throws {
        try fill()
        #expect(try await run(["reviews", "record", "gate/1", "बा २ च ७३१८", "--by", "sita"]).status == 0)
        #expect(try await run(["reviews", "record", "gate/2", "--by", "sita"]).status == 0)
    }

    @Test func `exports the plates that rangers confirmed or corrected, and no others`() async throws {
        try await teach()
        let output = folder["taught"].path
        let done = try await run(["export", "training", "--output", output])
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.output.contains("2 plates: 1 confirmed, 1 corrected"))
        let table = try TruthTable(path: output + "/truth.csv")
        #expect(Set(table.entries.map { $0.plate?.compact }) == ["BA2CHA7318", "BAF4821"])
        #expect(Set(table.entries.map(\.country)) == ["np"])
        let text = try String(contentsOfFile: output + "/truth.csv", encoding: .utf8)
        #expect(text.contains(",बा२च७३१८,np,corrected,"))
        #expect(text.contains(",BAF4821,np,confirmed,"))
        let files = try FileManager.default.contentsOfDirectory(atPath: output)
        #expect(files.count == 3)
        for entry in table.entries {
            let size = try ImageDecoder.size(of: try PictureFile.read("\(output)/\(entry.file)"))
            #expect(
                (size.width, size.height) == (entry.box.width + 2 * entry.box.x, entry.box.height + 2 * entry.box.y))
            #expect(size.width < 400)
        }
    }

    @Test func `exports nothing rather than a part`() async throws {
        try await teach()
        let output = folder["taught"].path
        let later = try await run(["export", "training", "--output", output, "--since", "2100-01-01"])
        #expect(later.status == 1)
        #expect(later.errors.contains("There is nothing to teach"))
        #expect(!FileManager.default.fileExists(atPath: output))
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        let again = try await run(["export", "training", "--output", output])
        #expect(again.status == 1)
        #expect(again.errors.contains("is there already"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasSuffix(".part") })
        #expect(try await run(["export", "training"]).status == 2)
        #expect(try await run(["export", "passages", "--since", "2026-11-01"]).status == 2)
    }

    @Test func `leaves out a photo that is no longer the one that was recorded`() async throws {
        try await teach()
        let store = try Store(path: database)
        let taught = try #require(
            try store.passages.taught(checkpostCode: "BNP-A").first { $0.passage.plate.compact == "BAF4821" })
        try store.close()
        let photo = try #require(taught.photo)
        try Data("another picture".utf8).write(to: folder[photo.path])
        let done = try await run(["export", "training", "--output", folder["taught"].path])
        #expect(done.output.contains("1 plates: 0 confirmed, 1 corrected"))
        #expect(done.output.contains("1 whose photo is damaged"))
    }

    /// A folder of models in which the Devanagari one is missing: painted plates aren't read with it.
    private func latinOnly() throws -> String {
        let models = folder["latin-only"]
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        for name in ["latin-plate.traineddata", "reader.json"] {
            try FileManager.default.copyItem(
                at: Checkout.root.appendingPathComponent("models/\(name)"), to: models.appendingPathComponent(name))
        }
        return models.path
    }

    @Test func `says which stored pictures read better or worse with other models`() async throws {
        try await teach()
        let whole = Checkout.root.appendingPathComponent("models").path
        let worse = try await run(["replay", "--compare", whole, try latinOnly(), "--json"])
        #expect(worse.status == 0, "\(worse.errors)")
        let report = try #require(worse.objects.first)
        #expect(report["pictures"] as? Int == 3)
        #expect(report["worse"] as? Int == 1)
        #expect(report["better"] as? Int == 0)
        let better = try await run(["replay", "--compare", folder["latin-only"].path, whole, "--json"])
        #expect(better.objects.first?["better"] as? Int == 1)
        #expect(try await Program.run(["replay"]).status == 2)
    }

    @Test func `takes a model's parameters with it, says whose they are, and reads nothing with damaged ones`()
        async throws
    {
        let models = folder["models"]
        let new = folder["new"]
        for copy in [models, new] {
            try FileManager.default.copyItem(at: Checkout.root.appendingPathComponent("models"), to: copy)
        }
        func model(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(["model"] + arguments + ["--models", models.path])
        }
        #expect(try await model("list").output.contains("  reader  3 kB  made for these models"))
        let shown = try await model("show")
        #expect(shown.output.contains("cascade.sure_confidence") && shown.output.contains("-37.035"))
        #expect(try await model("show", "latin-plate").output.contains("with reader "))
        #expect(try await model("show", "nothing").errors.contains("`checkpost model list` names them"))
        let parameters = new.appendingPathComponent("reader.json")
        let text = try String(contentsOf: parameters, encoding: .utf8)
        let other = text.replacingOccurrences(of: "684e914fb6c2", with: "000000000000")
        try Data(other.utf8).write(to: parameters)
        let taken = try await model("use", new.appendingPathComponent("plate-finder.weights").path)
        #expect(taken.output.contains("is in use now, and with it reader "), "\(taken.output)")
        #expect(taken.errors.contains("were made for another latin-plate"))
        #expect(try await model("list").output.contains("made for another latin-plate"))
        #expect(try await model("verify").status == 0)
        // Somebody's hand: neither as shipped nor taken.
        let used = models.appendingPathComponent("reader.json")
        try Data(text.replacingOccurrences(of: "\"lines\": 22", with: "\"lines\": 23").utf8).write(to: used)
        #expect(try await model("verify").output.contains("reader  damaged or exchanged"))
        try Data(text.prefix(500).utf8).write(to: used)
        #expect(try await model("verify").output.contains("it is no JSON"))
        let picture = Checkout.samples.appendingPathComponent("stills/clean_brazil_car.jpg").path
        let read = try await Program.run(["read", "--models", models.path, picture])
        #expect(read.status == 1 && read.errors.contains("reader.json can't be used"))
        try FileManager.default.removeItem(at: used)
        #expect(try await model("verify").output.contains("missing       reader"))
    }

    @Test func `switches models and back by their hash, without touching the database`() async throws {
        try fill()
        let models = folder["models"]
        try FileManager.default.copyItem(at: Checkout.root.appendingPathComponent("models"), to: models)
        let other = folder["latin-plate.traineddata"]
        // Another model of that name: the Devanagari network does, for a switch.
        try FileManager.default.copyItem(at: models.appendingPathComponent("devanagari-plate.traineddata"), to: other)
        // The reverse is refused: it would write symbols that stand for nothing.
        let unfit = folder["devanagari-plate.traineddata"]
        try FileManager.default.copyItem(at: models.appendingPathComponent("latin-plate.traineddata"), to: unfit)
        func model(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(["model"] + arguments + ["--models", models.path])
        }
        func used() async throws -> String? {
            try await model("list", "--json").output.split(separator: "\n").first { $0.contains("latin-plate") }
                .map(String.init)
        }
        #expect(try await model("use", unfit.path).errors.contains("symbols.tsv"))
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        let former = try await used()
        #expect(try await model("verify").output.contains("as shipped"))
        let taken = try await model("use", other.path)
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(try await used() != former)
        #expect(try await model("verify").output.contains("taken into use here"))
        let shipped = try String(contentsOf: models.appendingPathComponent("MODEL.md"), encoding: .utf8)
        let hash = try #require(
            shipped.split(separator: "\n").first { $0.hasSuffix("  latin-plate.traineddata") }?.prefix(12))
        let back = try await model("use", String(hash))
        #expect(back.status == 0, "\(back.errors)")
        #expect(try await model("verify").status == 0)
        #expect(try await model("use", "0000").status == 1)
        let finder = models.appendingPathComponent("plate-finder.weights")
        var bytes = try Data(contentsOf: finder)
        bytes[5000] ^= 1
        try bytes.write(to: finder)
        let exchanged = try await model("verify")
        #expect(exchanged.status == 1)
        #expect(exchanged.output.contains("plate-finder  damaged or exchanged: shipped was"))
        try FileManager.default.copyItem(
            at: Checkout.root.appendingPathComponent("models/plate-finder.weights"), to: folder["plate-finder.weights"])
        try FileManager.default.removeItem(at: finder)
        let gone = try await model("verify")
        #expect(gone.status == 1)
        #expect(gone.output.contains("missing       plate-finder"))
        try FileManager.default.moveItem(at: folder["plate-finder.weights"], to: finder)
        #expect(try await model("verify").status == 0)
        // A table that was cut off: the model would read on, and wrongly.
        try FileManager.default.removeItem(at: models.appendingPathComponent("devanagari-plate.symbols.tsv"))
        try Data("0\t0\t0\n".utf8).write(to: models.appendingPathComponent("devanagari-plate.symbols.tsv"))
        let cut = try await model("verify")
        #expect(cut.status == 1)
        #expect(cut.output.contains("symbols.tsv is missing, damaged, or belongs to another model"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    }
}
