import Enforcement
import Foundation
import Recognition

/// Light and weather that are drawn over a picture that was taken by day: what they take from a reader can be measured with the
/// plates that one has.
///
/// They are drawn, and no camera's: they say in which order troubles come, and at which strength plates are lost, not how many a
/// post's camera will lose.
package enum PictureCondition: String, Sendable, Codable, CaseIterable {
    /// As it is, compressed once more as all the others are.
    case day

    /// A quarter of the light, and the noise of a sensor that makes up for it.
    case dusk

    /// Infrared light of the camera's own, which falls off to the sides. Red paint is nearly as bright in it as white.
    case infrared

    /// A dark picture with a headlight to each side of the plate, whose light spreads over its neighbours.
    case headlights

    /// The plate throws the light back, and is brighter than the picture can show.
    case burntOut = "burnt_out"

    /// Bright streaks, and little contrast.
    case rain

    /// Half of the light comes from the dust between camera and vehicle.
    case dust

    /// The shadow of a roof or a tree lies over one half of the plate.
    case halfShadow = "half_shadow"

    /// The shutter was open while the vehicle went on by a twentieth of its plate's width.
    case motion

    /// - Parameter plates: where the plates are, in pixels of the upright picture. Without any the picture's middle is taken for one.
    /// - Returns: the picture in this condition, as a JPEG in colour.
    /// - Throws: `ImageError` for what can't be decoded or is too large.
    package func frame(
        of picture: Data, plates: [Box], using random: inout some RandomNumberGenerator
    ) throws(ImageError) -> Data {
        var (canvas, damaged) = try PixelCanvas.decode(picture)
        let whole = Box(x: 0, y: 0, width: canvas.width, height: canvas.height)
        let seen = plates.map { $0.intersection(whole) }.filter { $0.area > 0 }
        draw(on: &canvas, plates: seen.isEmpty ? [Self.middle(of: whole)] : seen, using: &random)
        guard let frame = canvas.jpeg() else { throw damaged }
        return frame
    }

    private static func middle(of whole: Box) -> Box {
        Box(
            x: whole.width * 3 / 8, y: whole.height * 7 / 16, width: max(1, whole.width / 4),
            height: max(1, whole.height / 8))
    }

    func draw(on canvas: inout PixelCanvas, plates: [Box], using random: inout some RandomNumberGenerator) {
        switch self {
        case .day: break
        case .dusk:
            canvas.multiply(0.25)
            canvas.addNoise(8, using: &random)
        case .infrared:
            canvas.addNoise(6, using: &random)
            let (width, height) = (Float(canvas.width), Float(canvas.height))
            canvas.change { x, y, red, green, blue in
                let (right, down) = ((Float(x) - width / 2) / width, (Float(y) - height / 2) / height)
                let light = 1.1 / (1 + 4 * (right * right + down * down))
                let value = light * (0.9 * red + 0.07 * green + 0.03 * blue)
                (red, green, blue) = (value, value, value)
            }
        case .headlights: headlights(&canvas, plates, using: &random)
        case .burntOut:
            canvas.multiply(0.6)
            for plate in plates { burn(&canvas, plate) }
        case .rain: rain(&canvas, using: &random)
        case .dust:
            canvas.change { _, _, red, green, blue in
                red = 0.45 * red + 0.55 * 205
                green = 0.45 * green + 0.55 * 190
                blue = 0.45 * blue + 0.55 * 165
            }
            canvas.addNoise(3, using: &random)
        case .halfShadow: for plate in plates { shade(&canvas, plate) }
        case .motion:
            let widest = plates.map(\.width).max() ?? 0
            canvas.smearDown(max(2, widest / 20))
        }
        canvas.clip()
    }

    /// What is dark on the plate drowns in the light that spreads from what is bright.
    private func burn(_ canvas: inout PixelCanvas, _ plate: Box) {
        for y in plate.y..<plate.bottom {
            for at in 3 * (y * canvas.width + plate.x)..<3 * (y * canvas.width + plate.right) {
                canvas.values[at] = 4 * canvas.values[at] + 200
            }
        }
    }

    /// A shadow over one half of the plate and as much around it. Its edge runs aslant through the plate's middle.
    private func shade(_ canvas: inout PixelCanvas, _ plate: Box) {
        let whole = Box(x: 0, y: 0, width: canvas.width, height: canvas.height)
        let around = Box(
            x: plate.x - plate.width / 2, y: plate.y - plate.height / 2, width: 2 * plate.width,
            height: 2 * plate.height
        ).intersection(whole)
        for y in around.y..<around.bottom {
            for x in around.x..<around.right {
                let aside = Double(x) - plate.centerX + (Double(y) - plate.centerY) / 2
                for channel in 0..<3 { canvas.values[3 * (y * canvas.width + x) + channel] *= aside < 0 ? 0.3 : 1.25 }
            }
        }
    }

    private func headlights(
        _ canvas: inout PixelCanvas, _ plates: [Box], using random: inout some RandomNumberGenerator
    ) {
        canvas.multiply(0.35)
        canvas.addNoise(6, using: &random)
        for plate in plates {
            let width = Float(plate.width)
            let middle = Float(plate.y) + Float(plate.height) / 2 - width / 3
            for side: Float in [-1.3, 1.3] {
                let lamp = Float(plate.x) + width / 2 + side * width
                canvas.change { x, y, red, green, blue in
                    let (right, down) = ((Float(x) - lamp) / width, (Float(y) - middle) / width)
                    // A lamp of a tenth of the width, and light that spreads in the lens.
                    let distance = right * right + down * down
                    let glow = 320 / (1 + 14 * distance) / (1 + 14 * distance) + (distance < 0.06 ? 255 : 0)
                    red += glow
                    green += glow
                    blue += 0.95 * glow
                }
            }
        }
    }

    private func rain(_ canvas: inout PixelCanvas, using random: inout some RandomNumberGenerator) {
        canvas.change { _, _, red, green, blue in
            red = 0.7 * red + 0.3 * 150
            green = 0.7 * green + 0.3 * 155
            blue = 0.7 * blue + 0.3 * 160
        }
        let streaks = canvas.width * canvas.height / 1200
        for _ in 0..<streaks {
            let x = Int.random(in: 0..<canvas.width, using: &random)
            let top = Int.random(in: 0..<canvas.height, using: &random)
            let length = Int.random(in: 8...max(9, canvas.height / 20), using: &random)
            let light = Float.random(in: 15...60, using: &random)
            for step in 0..<length {
                // Four down, one aside.
                let (column, row) = (x + step / 4, top + step)
                guard column < canvas.width, row < canvas.height else { break }
                for channel in 0..<3 { canvas.values[3 * (row * canvas.width + column) + channel] += light }
            }
        }
        canvas.addNoise(3, using: &random)
    }
}
