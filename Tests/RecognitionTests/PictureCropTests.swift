import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("A plate cut out of a picture", .timeLimit(.minutes(10)))
struct PictureCropTests {
    private func picture() -> Data {
        var drawing = Drawing(width: 200, height: 120)
        drawing.fill(x: 80, y: 40, width: 40, height: 20, 10)
        return drawing.encoded(.png)
    }

    @Test func `keeps a quarter of its sides around it, and says where it is`() throws {
        let cut = try PictureCrop.png(of: picture(), box: Box(x: 80, y: 40, width: 40, height: 20))
        let image = try ImageDecoder.decode(cut.png).image
        #expect((image.width, image.height) == (60, 30))
        #expect(cut.box == Box(x: 10, y: 5, width: 40, height: 20))
        #expect(image.pixels[5 * 60 + 10] == 10)
        #expect(image.pixels[4 * 60 + 10] == 200)
    }

    @Test func `ends at the picture's edge`() throws {
        let cut = try PictureCrop.png(of: picture(), box: Box(x: -5, y: 100, width: 40, height: 40))
        #expect(cut.box == Box(x: 0, y: 5, width: 35, height: 20))
    }

    @Test func `is refused where there is no picture`() {
        #expect(throws: ImageError.damaged(format: "PNG")) {
            try PictureCrop.png(of: picture(), box: Box(x: 300, y: 0, width: 10, height: 10))
        }
        #expect(throws: ImageError.notAPicture) {
            try PictureCrop.png(of: Data("no picture".utf8), box: Box(x: 0, y: 0, width: 10, height: 10))
        }
    }
}
