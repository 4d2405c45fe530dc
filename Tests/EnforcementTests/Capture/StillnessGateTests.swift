import Foundation
import Testing

@testable import Enforcement

@Suite("A stillness gate", .timeLimit(.minutes(5)))
struct StillnessGateTests {
    private static let width = 160
    private static let height = 90

    private static let texture: [Double] = (0..<width * height).map { index in
        90 + 40 * sin(Double(index % width) / 9) * cos(Double(index / width) / 7)
    }

    /// A road scene with texture, in some light, with camera noise, and with a dark or bright rectangle for a vehicle.
    private func scene(
        light: Double = 1, noise: Double = 0, seed: UInt64 = 1,
        vehicle: (x: Int, y: Int, width: Int, height: Int)? = nil,
        contrast: Double = 30
    ) -> GrayThumbnail {
        var state = seed
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31)
        }
        var pixels: [UInt8] = []
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                var value = Self.texture[y * Self.width + x]
                if let vehicle, (vehicle.x..<vehicle.x + vehicle.width).contains(x),
                    (vehicle.y..<vehicle.y + vehicle.height).contains(y)
                {
                    value += (x / 4 + y / 4) % 2 == 0 ? contrast : -contrast
                }
                guard noise > 0 else {
                    pixels.append(UInt8(min(max(value * light, 0), 255)))
                    continue
                }
                // The sum of four even draws is near enough to a normal one, with a variance of a third.
                let normal = (random() + random() + random() + random() - 2) * 1.73
                pixels.append(UInt8(min(max(value * light + noise * normal, 0), 255)))
            }
        }
        return GrayThumbnail(width: Self.width, height: Self.height, pixels: pixels)!
    }

    private func at(_ seconds: Double) -> Instant { Instant(seconds: 1000 + seconds) }

    @Test func `looks at the first frame and skips those like it`() {
        var gate = StillnessGate()
        #expect(gate.verdict(scene(), at: at(0)) == .look(.unknown))
        let picture = scene()
        for frame in 1..<100 { #expect(gate.verdict(picture, at: at(Double(frame) / 5)) == .skip) }
    }

    @Test(arguments: [1.0, 3, 6])
    func `takes noise for no change`(noise: Double) {
        var gate = StillnessGate()
        _ = gate.verdict(scene(noise: noise, seed: 1), at: at(0))
        for frame in 1..<50 {
            let picture = scene(noise: noise, seed: UInt64(frame) * 977)
            #expect(gate.verdict(picture, at: at(Double(frame) / 5)) == .skip)
        }
    }

    @Test func `takes a slow change of the light for no change`() {
        var gate = StillnessGate()
        var looks = 0
        // Dusk: the light falls to a fifth in ten minutes.
        for frame in 0..<3000 where frame % 15 == 0 {
            let light = pow(0.2, Double(frame) / 3000)
            if gate.verdict(scene(light: light, noise: 2, seed: UInt64(frame)), at: at(Double(frame) / 5)) != .skip {
                looks += 1
            }
        }
        #expect(looks <= 21)
    }

    /// 25 by 14 of 160 by 90 pixels is a little less than a fortieth.
    @Test(arguments: [(0, 0), (7, 3), (60, 40), (131, 74)], [0.0, 3])
    func `sees a motorcycle in a fortieth of the picture, wherever it is`(place: (x: Int, y: Int), noise: Double) {
        for contrast in [20.0, 60] {
            var gate = StillnessGate()
            _ = gate.verdict(scene(noise: noise, seed: 5), at: at(0))
            let vehicle = (place.x, place.y, 25, 14)
            let picture = scene(noise: noise, seed: 6, vehicle: vehicle, contrast: contrast)
            #expect(gate.verdict(picture, at: at(0.2)) == .look(.changed))
        }
    }

    @Test func `sees a motorcycle by night in faint light`() {
        var gate = StillnessGate()
        _ = gate.verdict(scene(light: 0.3, noise: 3, seed: 5), at: at(0))
        let picture = scene(light: 0.3, noise: 3, seed: 6, vehicle: (60, 40, 25, 14), contrast: 60)
        #expect(gate.verdict(picture, at: at(0.2)) == .look(.changed))
    }

    @Test func `sees a truck that fills the picture`() {
        var gate = StillnessGate()
        _ = gate.verdict(scene(noise: 2), at: at(0))
        #expect(gate.verdict(scene(noise: 2, vehicle: (5, 5, 150, 80)), at: at(0.2)) == .look(.changed))
    }

    @Test func `sees a vehicle that moves on a little`() {
        var gate = StillnessGate()
        _ = gate.verdict(scene(vehicle: (40, 30, 40, 30)), at: at(0))
        #expect(gate.verdict(scene(vehicle: (43, 30, 40, 30)), at: at(0.2)) == .look(.changed))
    }

    @Test func `looks every two seconds while something was there lately, then rests`() {
        var gate = StillnessGate()
        _ = gate.verdict(scene(), at: at(0))
        gate.found(at: at(0))
        let picture = scene()
        let looks = (1...250).filter { gate.verdict(picture, at: at(Double($0) / 5)) != .skip }.map { Double($0) / 5 }
        #expect(looks == [2, 4, 6, 8, 10, 40])
    }

    @Test func `keeps watching a vehicle that stands at the barrier as long as it is found`() {
        var gate = StillnessGate()
        let picture = scene(vehicle: (40, 30, 40, 30))
        var looks = 0
        for frame in 0..<1500 {
            let now = at(Double(frame) / 5)
            if gate.verdict(picture, at: now) != .skip {
                looks += 1
                gate.found(at: now)
            }
        }
        #expect(looks == 150)
    }

    @Test func `looks when it can't compare`() {
        var gate = StillnessGate()
        _ = gate.verdict(scene(), at: at(10))
        #expect(gate.verdict(scene(), at: at(9)) == .look(.unknown))
        let small = GrayThumbnail(width: 2, height: 1, pixels: [0, 255])!
        #expect(gate.verdict(small, at: at(11)) == .look(.unknown))
        #expect(gate.verdict(small, at: at(12)) == .skip)
        #expect(gate.verdict(GrayThumbnail(width: 2, height: 1, pixels: [255, 0])!, at: at(13)) == .look(.changed))
    }

    @Test func `makes a thumbnail smaller by averaging`() {
        let picture = GrayThumbnail(width: 4, height: 2, pixels: [0, 10, 20, 30, 10, 20, 30, 40])!
        #expect(picture.reduced(toWidth: 2) == GrayThumbnail(width: 2, height: 1, pixels: [10, 30]))
        #expect(picture.reduced(toWidth: 4) == picture)
        let four = GrayThumbnail(width: 4, height: 4, pixels: Array(0..<16))!
        #expect(four.reduced(toWidth: 2) == GrayThumbnail(width: 2, height: 2, pixels: [2, 4, 10, 12]))
        let square = GrayThumbnail(width: 3, height: 3, pixels: [0, 10, 20, 30, 40, 50, 60, 70, 80])!
        for width in [1, 0, -1] { #expect(square.reduced(toWidth: width).pixels == [40], "\(width)") }
        #expect(GrayThumbnail(width: 4, height: 2, pixels: []) == nil)
    }
}
