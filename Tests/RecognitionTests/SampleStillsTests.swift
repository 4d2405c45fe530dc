import CLeptonica
import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("The recognizer on sample pictures", .timeLimit(.minutes(10)))
struct SampleStillsTests {
    private func read(_ name: String, country: String? = nil) throws -> PlateRecognizer.Result {
        let recognizer = try PlateRecognizer(models: Places.models, country: country)
        return try recognizer.recognize(try Data(contentsOf: Places.stills.appendingPathComponent(name)))
    }

    @Test(arguments: [
        ("clean_america_car.jpg", "7KRD294"), ("clean_brazil_car.jpg", "KLT4829"),
        ("clean_embossed_b_car.jpg", "BAF4821"), ("clean_embossed_g_truck.jpg", "GAB1568"),
        ("clean_europe_car.jpg", "KR8T274"), ("hard_brazil_car_blur.jpg", "RBM4E71"),
        ("hard_embossed_b_car_motion.jpg", "BAH5097"), ("hard_embossed_diplomatic_night.jpg", "BAA1746"),
        ("clean_india_br_motorcycle.jpg", "BR06PC2950"),
        ("clean_india_uk_truck.jpg", "UK04TA7163"), ("hard_india_mh_truck_dirt.jpg", "MH12QW9354"),
        ("clean_bhutan_car.jpg", "BP1A3649"), ("clean_bhutan_taxi.jpg", "BT2A0714"),
    ])
    func `reads a clean Latin plate`(name: String, plate: String) throws {
        let best = try #require(try read(name, country: "np").readings.first)
        #expect(LookAlike.folded(best.plate.compact) == LookAlike.folded(plate))
    }

    @Test(arguments: [
        ("clean_zonal_me_truck.jpg", "ME1KA5924"), ("clean_province_koshi_scooter.jpg", "P102021PA1837"),
        ("hard_zonal_ba_car_defocus.jpg", "BA5YAN841"), ("hard_province_sudur_bus_night.jpg", "P702005JA3908"),
        ("hard_province_6_car_small.jpg", "P601008CHA2671"), ("hard_zonal_na_motorcycle_angle.jpg", "NA11MA3657"),
    ])
    func `reads a painted plate whose glyphs touch its border, are out of focus, small or seen from the side`(
        name: String, plate: String
    ) throws {
        #expect(try read(name, country: "np").readings.first?.plate.compact == plate)
    }

    @Test func `reads a painted plate in a PNG too, by its colours`() throws {
        let jpeg = try Data(contentsOf: Places.stills.appendingPathComponent("clean_zonal_me_truck.jpg"))
        let (decoded, _) = try UprightPicture.decode(jpeg)
        var pix: UnsafeMutablePointer<Pix>? = decoded
        defer { pixDestroy(&pix) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        #expect(pixWriteMemPng(&bytes, &count, pix, 0) == 0)
        defer { free(bytes) }
        let png = Data(bytes: try #require(bytes), count: count)
        let recognizer = try PlateRecognizer(models: Places.models, country: "np")
        #expect(try recognizer.recognize(png).readings.first?.plate.compact == "ME1KA5924")
    }

    @Test func `a plate that the network is sure of is searched for its row again, unless it was read`() throws {
        let recognizer = try PlateRecognizer(models: Places.models)
        let decoded = try ImageDecoder.decode(
            try Data(contentsOf: Places.stills.appendingPathComponent("clean_europe_car.jpg")))
        let plate = Box(x: 515, y: 446, width: 250, height: 58)
        func again(score: Double, besides found: [PlateRecognizer.Found] = []) -> PlateRecognizer.Found? {
            recognizer.readAgain(PlateDetection(box: plate, score: score), decoded, Grounds(decoded), besides: found)
        }
        let found = try #require(again(score: 0.9))
        #expect(LookAlike.folded(found.reading.plate.compact) == "KR8T274")
        #expect(again(score: 0.6) == nil)
        var sure = found
        sure.reading.confidence = 0.9
        #expect(again(score: 0.9, besides: [sure]) == nil)
    }

    /// The plate KLT4829 lies at 550,446 and is 180 x 58 pixels large.
    @Test func `a plate that the picture's edge cuts is never sure, however well its part reads`() throws {
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))
        let recognizer = try PlateRecognizer(models: Places.models)
        func read(x: Int, width: Int) throws -> PlateReading? {
            let part = try PictureCrop.png(of: picture, box: Box(x: x, y: 200, width: width, height: 500), margin: 0)
            return try recognizer.recognize(part.png).readings.first
        }
        let whole = try #require(try read(x: 300, width: 600))
        #expect(whole.plate.compact == "KLT4829" && whole.confidence > 0.8)
        for lost in [20, 28, 36, 50] {
            #expect(try read(x: 300, width: 430 - lost)?.confidence ?? 0 <= recognizer.cascade.cutConfidence)
            #expect(try read(x: 550 + lost, width: 500)?.confidence ?? 0 <= recognizer.cascade.cutConfidence)
        }
    }

    @Test func `a reading that is held down takes its other plates along`() throws {
        let reading = try #require(try read("clean_brazil_car.jpg").readings.first)
        let held = reading.atMost(0.5)
        #expect(held.confidence == 0.5 && held.candidates[0].confidence <= 0.5)
        #expect(held.atMost(0.6) == held)
    }

    @Test(arguments: ["clean_none_empty_road.jpg", "hard_none_headlights_night.jpg"])
    func `sees no plate where there is none`(name: String) throws {
        #expect(try read(name).readings.isEmpty)
    }

    @Test(arguments: ["clean_none_shop_sign_car.jpg", "clean_none_slogan_truck.jpg", "hard_none_people_signs.jpg"])
    func `takes no sign or slogan for a plate that is recorded by itself`(name: String) throws {
        for reading in try read(name, country: "np").readings { #expect(reading.confidence < 0.7) }
    }

    @Test func `reads no more lines of a picture than it may, and gives the same answer again`() throws {
        let recognizer = try PlateRecognizer(models: Places.models)
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))
        let first = try recognizer.recognize(picture)
        let second = try recognizer.recognize(picture)
        #expect(first.readings.map(\.plate) == second.readings.map(\.plate))
        #expect(first.readings.count <= PlateRecognizer.maximumReadings)
    }

    /// Flipped bits and missing ends: an error or what can still be seen, with the finder on.
    @Test func `reads what is damaged, or says that it can't, and goes on`() throws {
        let recognizer = try PlateRecognizer(models: Places.models)
        let whole = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))
        let plates = try recognizer.recognize(whole).readings.map(\.plate)
        for seed in 0..<24 {
            var damaged = whole
            for flip in 0..<(1 + seed % 5) {
                let place = 200 + (seed * 7919 + flip * 104_729) % (whole.count - 200)
                damaged[damaged.startIndex + place] ^= 1 << UInt8((seed + flip) % 8)
            }
            if let result = try? recognizer.recognize(damaged) {
                #expect(result.readings.count <= PlateRecognizer.maximumReadings)
            }
            #expect(throws: ImageError.self) { try recognizer.recognize(whole.prefix(whole.count * seed / 24)) }
        }
        #expect(try recognizer.recognize(whole).readings.map(\.plate) == plates)
    }

    /// Real photos, where they are at hand: half of them right at least, far below what is usual.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: Places.photos.path), "the real photos are not here"))
    func `reads real European plates`() throws {
        let folder = Places.photos.appendingPathComponent("eu")
        let table = try String(contentsOf: folder.appendingPathComponent("truth.csv"), encoding: .utf8)
        let recognizer = try PlateRecognizer(models: Places.models)
        var right = 0
        var count = 0
        for row in table.split(separator: "\n").dropFirst() {
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 5 else { continue }
            let picture = try Data(contentsOf: folder.appendingPathComponent(String(fields[0])))
            let best = try recognizer.recognize(picture).readings.first?.plate.compact ?? ""
            count += 1
            right += LookAlike.folded(best) == LookAlike.folded(String(fields[5])) ? 1 : 0
        }
        #expect(2 * right >= count)
    }
}
