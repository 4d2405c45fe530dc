import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("A plate detector", .timeLimit(.minutes(10)))
struct PlateDetectorTests {
    private func detector() throws -> PlateDetector {
        try PlateDetector(try ModelFolder.network(given: Places.models), Places.parameters.finding)
    }

    private func detections(_ picture: Data) throws -> [PlateDetection] {
        try detector().find(in: try ImageDecoder.decode(picture))
    }

    /// A road with a vehicle from behind, and its plate where it is asked for.
    private func road(plate: Box?) -> Drawing {
        var drawing = Drawing(width: 1280, height: 720, ground: 170)
        drawing.fill(x: 0, y: 300, width: 1280, height: 420, 105)
        drawing.fill(x: 500, y: 240, width: 280, height: 230, 60)
        drawing.fill(x: 540, y: 255, width: 200, height: 70, 25)
        drawing.fill(x: 505, y: 360, width: 45, height: 30, 150)
        drawing.fill(x: 730, y: 360, width: 45, height: 30, 150)
        drawing.fill(x: 520, y: 470, width: 50, height: 30, 15)
        drawing.fill(x: 710, y: 470, width: 50, height: 30, 15)
        if let plate {
            drawing.fill(x: plate.x, y: plate.y, width: plate.width, height: plate.height, 225)
            let height = plate.height * 6 / 10
            drawing.glyphs(7, x: plate.x + plate.width / 12, y: plate.y + plate.height / 5, height: height)
        }
        return drawing
    }

    @Test(arguments: [(60, 14), (88, 20), (150, 34)])
    func `finds a small plate on the road`(width: Int, height: Int) throws {
        let plate = Box(x: 640 - width / 2, y: 400, width: width, height: height)
        let best = try #require(try detections(road(plate: plate).encoded(.jpeg)).first)
        #expect(best.box.intersection(plate).area * 2 > plate.area)
    }

    @Test func `finds nothing on an empty road`() throws {
        var empty = Drawing(width: 1280, height: 720, ground: 170)
        empty.fill(x: 0, y: 300, width: 1280, height: 420, 105)
        #expect(try detections(empty.encoded(.jpeg)).isEmpty)
    }

    /// Plates of the drawn sample pictures, which the network never saw: nine of ten at least.
    @Test func `finds the plates of the sample pictures`() throws {
        let table = try String(contentsOf: Places.stills.appendingPathComponent("truth.csv"), encoding: .utf8)
        let detector = try detector()
        var found = 0
        var count = 0
        for row in table.split(separator: "\n").dropFirst() {
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = fields.dropFirst().prefix(4).compactMap { Int($0) }
            guard numbers.count == 4, numbers[2] > 0 else { continue }
            let plate = Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
            let picture = try Data(contentsOf: Places.stills.appendingPathComponent(String(fields[0])))
            let detections = detector.find(in: try ImageDecoder.decode(picture))
            count += 1
            found += detections.contains { $0.box.overlap(plate) > 0.4 } ? 1 : 0
        }
        #expect(count > 40)
        #expect(10 * found >= 9 * count)
    }

    @Test func `sees the same in a JPEG and in a PNG`() throws {
        let scene = road(plate: Box(x: 580, y: 400, width: 120, height: 28))
        let fromJPEG = try #require(try detections(scene.encoded(.jpeg)).first)
        let fromPNG = try #require(try detections(scene.encoded(.png)).first)
        #expect(fromJPEG.box.overlap(fromPNG.box) > 0.7)
    }

    @Test(arguments: [(1, 1), (16, 9), (64, 3000), (3000, 64), (40, 40)])
    func `looks at pictures of any shape`(width: Int, height: Int) throws {
        let drawing = Drawing(width: width, height: height)
        for detection in try detections(drawing.encoded(.png)) {
            #expect(
                detection.box.right <= width && detection.box.bottom <= height && detection.box.x >= 0
                    && detection.box.y >= 0)
        }
    }

    @Test func `a model of headings that is missing or fits the symbols no more leaves them to the other one`() throws {
        let models = try ModelsCopy()
        let heading = models[ModelFolder.headingModel + ".traineddata"]
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_province_koshi_scooter.jpg"))
        try FileManager.default.removeItem(at: heading)
        let missing = try PlateRecognizer(models: models.path, country: "np")
        #expect(missing.problems.isEmpty)
        #expect(try missing.recognize(picture).readings.first?.plate.compact == "P102021PA1837")

        // The table has no word for most of what this one writes.
        try FileManager.default.copyItem(
            at: models[ModelFolder.latinModel + ".traineddata"], to: heading)
        let unfit = try PlateRecognizer(models: models.path, country: "np")
        #expect(unfit.problems.count == 1 && unfit.problems[0].contains("headings"), "\(unfit.problems)")
        #expect(try unfit.recognize(picture).readings.first?.plate.compact == "P102021PA1837")
        #expect(throws: ModelError.self) { try ModelShelf.check(heading.path) }
    }

    @Test func `a missing or broken network leaves the search by rows, and says so`() throws {
        let models = try ModelsCopy()
        let weights = models[PlateDetector.fileName]
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))

        let whole = try Data(contentsOf: weights)
        #expect(try PlateRecognizer(models: models.path).problems.isEmpty)
        let devanagari = models[ModelFolder.devanagariModel + ".traineddata"]
        try FileManager.default.removeItem(at: devanagari)
        #expect(try PlateRecognizer(models: models.path).problems.map { $0.contains("Devanagari") } == [true])
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: Places.models).appendingPathComponent(devanagari.lastPathComponent), to: devanagari
        )
        try whole.prefix(whole.count / 2).write(to: weights)
        let broken = try PlateRecognizer(models: models.path)
        #expect(try #require(broken.problems.first).contains("ends too early"))
        #expect(try broken.recognize(picture).readings.first?.plate.compact == "KLT4829")

        try FileManager.default.removeItem(at: weights)
        let missing = try PlateRecognizer(models: models.path)
        #expect(try #require(missing.problems.first).contains(PlateDetector.fileName))
        #expect(try missing.recognize(picture).readings.first?.plate.compact == "KLT4829")
    }
}
