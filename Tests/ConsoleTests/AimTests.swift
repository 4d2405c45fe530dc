import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Console

@Suite("The page on which a camera is set", .serialized, .timeLimit(.minutes(10)))
struct AimTests {
    private func show(_ rig: Rig, height: Double = 9, isRead: Bool = false) throws {
        var status = ConsoleStatus()
        status.cameras = [.init(name: "gate", phase: "live", failure: nil, lastFrameAt: nil)]
        rig.host.answer(status)
        var reading = PlateReading.unread(
            at: Box(x: 10, y: 20, width: 90, height: 30), look: .init(score: 1, isPlate: true))
        if isRead { (reading.plate, reading.confidence) = (Plate(canonical: "BA 1 PA 1234"), 0.93) }
        rig.host.answer([
            PlateSight(
                box: reading.box, glyphHeight: height, edgeWidth: 2, contrast: 150, brightness: 200, burntShare: 0,
                isCut: false, reading: reading)
        ])
        rig.live.show(
            Frame(
                picture: try SamplePicture.drive(), recordedAt: rig.clock.now, clockState: .simulated, camera: "gate"),
            arrivedAt: rig.clock.now)
    }

    @Test func `says what is to be done, in the reader's language, and that nothing is where all is well`() async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            try show(rig)
            let bad = try await visitor.get("/api/aim?camera=gate").object
            #expect(bad["verdict"] as? String == "problem" && bad["number"] as? Int != 0)
            #expect((bad["verdict_text"] as? String)?.contains("letters 9 px high, 20 are wanted") == true, "\(bad)")
            let sight = try #require((bad["sights"] as? [[String: Any]])?.first)
            #expect(sight["problems"] as? [String] == ["too_small"] && sight["box"] as? [Int] == [10, 20, 90, 30])
            visitor.cookies["checkpost_language"] = "ne"
            let nepali = try await visitor.get("/api/aim?camera=gate").object["verdict_text"] as? String
            #expect(nepali?.contains("९ px") == true && nepali?.contains("२०") == true, "\(nepali ?? "")")
            visitor.cookies["checkpost_language"] = "en"
            try show(rig, height: 31, isRead: true)
            let good = try await visitor.get("/api/aim?camera=gate").object
            #expect(
                good["verdict"] as? String == "good" && (good["verdict_text"] as? String)?.contains("31 px") == true)
        }
    }

    @Test func `says that there is no picture, and no plate in it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            var status = ConsoleStatus()
            status.cameras = [.init(name: "gate", phase: "live", failure: nil, lastFrameAt: nil)]
            rig.host.answer(status)
            let nothing = try await visitor.get("/api/aim?camera=gate").object
            #expect(
                nothing["number"] as? Int == 0 && nothing["verdict_text"] as? String == "No picture from the camera yet"
            )
            try show(rig)
            rig.host.answer([PlateSight](), hidden: 2)
            let outside = try await visitor.get("/api/aim?camera=gate").object
            #expect(outside["verdict_text"] as? String == "Plates outside of what is read here, left out: 2.")
            rig.host.answer([PlateSight]())
            let empty = try await visitor.get("/api/aim?camera=gate").object
            #expect(empty["verdict"] as? String == "nothing")
            #expect((empty["verdict_text"] as? String)?.hasPrefix("No plate in the picture") == true)
        }
    }

    @Test func `praises no picture that is old, and shows what is left out already`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            try show(rig, height: 31, isRead: true)
            rig.clock.advance(.seconds(40))
            let old = try await visitor.get("/api/aim?camera=gate").object
            #expect(old["verdict"] as? String == "problem")
            #expect((old["verdict_text"] as? String)?.contains("OLD PICTURE") == true, "\(old)")
            #expect(try await visitor.get("/aim").text.contains("data-mask=\"0,0,100,10\""))
            #expect(try await visitor.get("/api/aim?camera=nowhere").status == 404)
        }
    }

    @Test func `saves what is drawn instead of the configured mask, by a technician's name, and takes it back`()
        async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            try show(rig)
            let saved = try await visitor.post("/do/aim/mask", ["camera": "gate", "mask": "+10,20,30.5,40;0,0,5,5"])
            #expect(saved.location == "/aim?said=mask&camera=gate", "\(saved)")
            let kept = try #require(try rig.store.cameraMasks.mask(of: "gate"))
            let drawn = try #require(PictureMask("+10,20,30.5,40;0,0,5,5"))
            #expect(kept == DrawnMask(drawn, by: "tek", at: rig.clock.now))
            let page = try await visitor.get(try #require(saved.location)).text
            #expect(page.contains("data-mask=\"+10,20,30.5,40;0,0,5,5\"") && page.contains("Drawn by tek"), "\(page)")
            #expect(page.contains("what is drawn counts from now on"))
            // Nothing is left out where all was cleared: that is not the configured one.
            #expect(try await visitor.post("/do/aim/mask", ["camera": "gate", "mask": ""]).status == 303)
            #expect(try await visitor.get("/aim").text.contains("data-mask=\"\""))
            for wrong in ["10,20", "0,0,101,5", "a,b,c,d", String(repeating: "0,0,1,1;", count: 17) + "0,0,1,1"] {
                let refused = try await visitor.call("/api/aim/mask", ["camera": "gate", "mask": wrong])
                #expect(refused.status == 422 && refused.object["error"] as? String == "error_mask", "\(wrong)")
            }
            #expect(try await visitor.call("/api/aim/mask", ["camera": "nowhere", "mask": ""]).status == 404)
            #expect(try await visitor.post("/do/aim/mask", ["camera": "gate", "configured": "1"]).status == 303)
            #expect(try rig.store.cameraMasks.mask(of: "gate") == nil)
            let again = try await visitor.get("/aim").text
            #expect(again.contains("data-mask=\"0,0,100,10\"") && again.contains("As checkpost.toml says"))
            let ranger = try await rig.ranger()
            #expect(try await ranger.post("/do/aim/mask", ["camera": "gate", "mask": ""]).status == 403)
        }
    }

    @Test func `says which way the last vehicles went, and what that means here`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            try show(rig)
            #expect(try await visitor.get("/aim").text.contains("No vehicle yet."))
            for (number, course) in [Course.approaching, .receding, nil].enumerated() {
                let plate = Plate(canonical: "BA 1 PA 700\(number)")
                let sighting = Sighting(
                    number: number + 1, camera: "gate", firstSeenAt: rig.clock.now, lastSeenAt: rig.clock.now,
                    frameCount: 3,
                    bestFrame: FrameReference(
                        sha256: String(repeating: "\(number)", count: 64), camera: "gate", recordedAt: rig.clock.now,
                        clockState: .simulated),
                    reading: PlateReading(
                        plate: plate, raw: "", confidence: 0.9, box: Box(x: 0, y: 0, width: 9, height: 9), format: "",
                        candidates: [], characters: []),
                    course: course, travel: course?.travel(approaching: .entering))
                let passage = Passage(
                    clientID: UUID(), plate: plate, plateRaw: "", vehicleType: .car, checkpostCode: "BNP-A",
                    recordedAt: rig.clock.now, clockState: .simulated, confidence: 0.9, origin: .camera,
                    travel: sighting.travel)
                _ = try rig.store.frames.commit(
                    FrameCommit(
                        camera: "gate", recordings: [.init(passage: passage, sighting: sighting)], at: rig.clock.now))
                let shown = try await visitor.get("/passage?id=\(passage.clientID.uuidString.lowercased())").text
                #expect(shown.contains("came onto the road") == (course == .approaching), "\(shown)")
                #expect(shown.contains("left the road") == (course == .receding))
            }
            let ways = try #require(try await visitor.get("/api/aim?camera=gate").object["ways"] as? [String])
            #expect(ways[0] == "The last 3: 1 towards the camera, 1 away from it, 1 not known")
            #expect(ways[1].hasSuffix("BA 1 PA 7002: not known"), "\(ways)")
            #expect(ways[2].hasSuffix("BA 1 PA 7001: away from the camera · left the road"))
            #expect(ways[3].hasSuffix("BA 1 PA 7000: towards the camera · came onto the road"))
            let page = try await visitor.get("/aim").text
            #expect(page.contains(ways[2]) && page.contains("does not say what a vehicle does"), "\(page)")
            rig.host.answer(approaching: .leaving)
            #expect(try await visitor.get("/aim").text.contains("what comes towards this camera leaves the road"))
        }
    }

    @Test func `is a technician's, one for each camera`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try show(rig)
            let ranger = try await rig.ranger()
            for path in ["/aim", "/api/aim?camera=gate"] {
                #expect(try await ranger.get(path).status == 403, "\(path)")
            }
            let technician = try await rig.technician()
            #expect(try await technician.get("/aim").text.contains("data-camera=\"gate\""), "the first")
            #expect(try await technician.get("/aim?camera=other").status == 404)
            #expect(try await technician.get("/technician").text.contains("href=\"/aim?camera=gate\""))
        }
    }
}
