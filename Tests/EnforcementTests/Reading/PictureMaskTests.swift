import Testing

@testable import Enforcement

@Suite("A mask of a picture", .timeLimit(.minutes(5)))
struct PictureMaskTests {
    @Test func `hides places with their middle in one of its parts, whatever the picture's size`() throws {
        let mask = try #require(PictureMask("0,0,40,8; 70, 92, 30, 8"))
        #expect(mask.text == "0,0,40,8;70,92,30,8" && PictureMask(mask.text) == mask && PictureMask().text == "")
        for scale in [1, 3] {
            func hides(_ x: Int, _ y: Int) -> Bool {
                mask.hides(
                    Box(x: x * scale, y: y * scale, width: 100 * scale, height: 20 * scale), width: 1000 * scale,
                    height: 500 * scale)
            }
            #expect(hides(0, 0) && hides(340, 20) && hides(850, 470))
            #expect(!hides(360, 0) && !hides(0, 40) && !hides(400, 250) && !hides(600, 470))
        }
    }

    @Test func `with zones hides all that lies in none of them, and what is left out within them`() throws {
        let mask = try #require(PictureMask("+0,50,100,50; 0,90,40,10; + 80,0,20,60"))
        #expect(mask.text == "+0,50,100,50;0,90,40,10;+80,0,20,60" && PictureMask(mask.text) == mask)
        func hides(_ x: Int, _ y: Int) -> Bool {
            mask.hides(Box(x: x - 10, y: y - 5, width: 20, height: 10), width: 1000, height: 1000)
        }
        #expect(!hides(500, 600) && !hides(500, 950) && !hides(900, 100) && !hides(900, 550))
        #expect(hides(500, 400) && hides(100, 950) && hides(700, 100))
        // The upper half but for a piece of a tenth, and a twenty-fifth of the lower one.
        #expect(abs(mask.hiddenPart - (0.5 - 0.1 + 0.04)) < 0.011, "\(mask.hiddenPart)")
        #expect(PictureMask("+10,10,20,20;0,0,50,50") == nil, "nothing is left")
    }

    @Test func `hides nothing where there is none`() {
        #expect(!PictureMask().hides(Box(x: 0, y: 0, width: 10, height: 10), width: 100, height: 100))
    }

    @Test(arguments: [
        "", "1,2,3", "+", "+1,2,3", "++0,0,9,9",
        "0,0,0,8", "0,0,101,8", "60,0,50,8", "-1,0,4,8", "a,b,c,d", "nan,0,10,10", "0,0,40,8;",
    ])
    func `is refused when it isn't rectangles within the picture`(text: String) {
        #expect(PictureMask(text) == nil)
    }

    @Test func `has a bounded number of parts`() {
        let part = "0,0,1,1"
        #expect(PictureMask(Array(repeating: part, count: 16).joined(separator: ";")) != nil)
        #expect(PictureMask(Array(repeating: part, count: 17).joined(separator: ";")) == nil)
    }
}
