import Enforcement
import Foundation
import ParkAPI
import PictureHeader
import TestKit
import Testing

@testable import checkpost_server

@Suite("A small picture", .timeLimit(.minutes(10)))
struct SmallPictureTests {
    /// A photo that was taken with the camera held in this way.
    private static func held(_ orientation: UInt8) throws -> Data {
        let photo = try SamplePicture.drive()
        let exif: [UInt8] =
            Array("Exif".utf8) + [
                0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0,
            ]
        return photo.prefix(2) + Data([0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif) + photo.dropFirst(2)
    }

    @Test(arguments: [UInt8(1), 6]) func `has fewer pixels, and stands as its photo does`(orientation: UInt8) throws {
        let photo = try Self.held(orientation)
        let small = try #require(SmallPicture.made(of: photo, .whole))
        let header = JPEGHeader(small)
        #expect(header.width == 480 && header.height == 270 && header.orientation == Int(orientation))
        #expect(small.count < photo.count / 2 && SmallPicture.isWhole(small))
        #expect(PhotoStore.Kind(small) == .jpeg)
    }

    @Test func `of a plate has all its pixels, and a little around it`() throws {
        let photo = try SamplePicture.drive()
        let place = try #require(PlatePlace(Box(x: 333, y: 301, width: 120, height: 40), width: 960, height: 540))
        let cut = try #require(SmallPicture.made(of: photo, .plate(place)))
        let header = JPEGHeader(cut)
        #expect((place.view.width...place.view.width + 31).contains(header.width))
        #expect((place.view.height...place.view.height + 15).contains(header.height))
        #expect(cut.count < photo.count / 4)
        // The place is one of a picture of another size, or of one that is turned before it is shown.
        let other = try #require(PlatePlace(place.plate, width: 961, height: 540))
        #expect(SmallPicture.made(of: photo, .plate(other)) == nil)
        #expect(try SmallPicture.made(of: Self.held(6), .plate(place)) == nil)
    }

    @Test func `is none of what is no photo, is damaged, or is small already`() throws {
        let photo = try SamplePicture.drive()
        let small = try #require(SmallPicture.made(of: photo, .whole))
        let place = try #require(PlatePlace(Box(x: 1, y: 1, width: 9, height: 9), width: 960, height: 540))
        for cut in [SmallPicture.Cut.whole, .plate(place)] {
            for wrong in [Data(), Data([0xff, 0xd8]), PhotoTests.jpeg, PhotoTests.png, photo.prefix(300)] {
                #expect(SmallPicture.made(of: wrong, cut) == nil)
            }
        }
        #expect(SmallPicture.made(of: small, .whole) == nil)
        #expect(SmallPicture.made(of: photo.prefix(photo.count / 2), .whole) == nil)
    }

    @Test func `is made of anything without a crash`() throws {
        let photo = try SamplePicture.drive()
        let place = try #require(PlatePlace(Box(x: 300, y: 300, width: 90, height: 30), width: 960, height: 540))
        var numbers = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var broken = photo
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                broken[Int.random(in: 0..<min(broken.count, 2000), using: &numbers)] = UInt8.random(
                    in: 0...255, using: &numbers)
            }
            if Bool.random(using: &numbers) {
                broken = broken.prefix(Int.random(in: 0..<broken.count, using: &numbers))
            }
            for cut in [SmallPicture.Cut.whole, .plate(place)] {
                if let made = SmallPicture.made(of: broken, cut) { #expect(made.count < photo.count) }
            }
        }
    }

    @Test func `is made once, again when it was damaged, and goes with its photo`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("small-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let photo = try SamplePicture.drive()
        let (hash, pictures) = (PhotoStore.hash(of: photo), SmallPictures(folder: folder.path))
        var asked = 0
        func small() throws -> Data? {
            try pictures.picture(of: hash, .whole) {
                asked += 1
                return photo
            }
        }
        let first = try #require(try small())
        #expect(try small() == first && asked == 1)
        let file = folder.appendingPathComponent("\(hash.prefix(2))/\(hash)/whole.jpg")
        for wrong in [Data(), first.dropLast(), Data(count: first.count)] {
            try wrong.write(to: file)
            #expect(try small() == first)
        }
        #expect(asked == 4)
        pictures.remove(hash)
        #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
    }

    @Test func `is what the warden's page asks for, and the photo where none can be made`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let photo = try SamplePicture.drive()
            let place = try #require(PlatePlace(Box(x: 333, y: 301, width: 120, height: 40), width: 960, height: 540))
            for (id, bytes) in [(passages.exit, photo), (passages.entry, PhotoTests.jpeg)] {
                let path = "/storage/v1/object/passage-photos/\(id).jpg"
                let stored = try await server.send(
                    "POST", path, as: "admin", [PlatePlace.field: place.sent], body: bytes)
                #expect(stored.status == 200)
            }
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/passage?id=\(passages.exit)").text
            func picture(_ passage: String, _ form: String) async throws -> Data {
                let answer = try await visitor.get("/warden/photos/\(passage).jpg\(form)")
                #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
                return answer.body
            }
            for form in ["small", "plate"] {
                #expect(page.contains("src=\"/warden/photos/\(passages.exit).jpg?as=\(form)\""))
                let small = try await picture(passages.exit, "?as=\(form)")
                #expect(small.count < photo.count / 2 && PhotoStore.Kind(small) == .jpeg)
                #expect(try await picture(passages.entry, "?as=\(form)") == PhotoTests.jpeg)
            }
            #expect(try await picture(passages.exit, "") == photo)
            #expect(try await picture(passages.exit, "?as=large") == photo)
            #expect(try await visitor.get("/warden/photos/\(UUID()).jpg?as=small").status == 404)
            let kept = server.settings.photoFolder + "/small"
            #expect(try FileManager.default.subpathsOfDirectory(atPath: kept).count { $0.hasSuffix(".jpg") } == 2)
            let path = "/storage/v1/object/passage-photos/\(passages.exit).jpg"
            #expect(try await server.send("DELETE", path, as: "admin").status == 200)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: kept).count { $0.hasSuffix(".jpg") } == 0)
            visitor.cookies = [:]
            #expect(try await visitor.get("/warden/photos/\(passages.entry).jpg?as=small").status == 401)
        }
    }
}
