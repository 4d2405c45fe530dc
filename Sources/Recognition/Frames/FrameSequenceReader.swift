import Enforcement
import Foundation

/// Reads the plates of one camera's frames, one after the other: what is small, and not surely read, also from several frames put together.
/// It belongs to one thread at a time.
package final class FrameSequenceReader {
    private let recognizer: PlateRecognizer
    private var small = SmallPlates()

    package init(_ recognizer: sending PlateRecognizer) {
        self.recognizer = recognizer
    }

    /// - Parameters:
    ///   - picture: a JPEG, PNG or PNM file's bytes.
    ///   - time: when it was taken.
    package func recognize(_ picture: Data, at time: Instant) throws(ImageError) -> PlateRecognizer.Result {
        let clock = ContinuousClock()
        let start = clock.now
        let decoded = try ImageDecoder.decode(picture)
        var result = recognizer.recognize(decoded, since: start)
        let began = clock.now
        let places = result.places.map { $0.divided(by: decoded.reduction) }
        for ripe in small.see(places, in: decoded.colours, at: time) {
            let place = ripe.place.scaled(by: decoded.reduction)
            guard
                !result.readings.contains(where: {
                    $0.confidence >= recognizer.cascade.sureConfidence && $0.isOn(place)
                }),
                let reading = reading(of: ripe, decoded.reduction, place)
            else { continue }
            result.join(reading, at: place)
        }
        result.times.readMs += (clock.now - began).milliseconds
        return result
    }

    /// What the looks at a plate, put together, read as, at its place in the frame; nil where they show nothing.
    private func reading(of ripe: SmallPlates.Ripe, _ reduction: Int, _ place: Box) -> PlateReading? {
        guard let last = ripe.looks.last, let fused = FusedPlate(ripe.looks, least: SmallPlates.leastLooks) else {
            return nil
        }
        let picture = ImageDecoder.Decoded(
            colours: fused.colours, width: fused.colours.width, height: fused.colours.height, reduction: 1)
        let inside = last.plate.scaled(by: FusedPlate.enlargement)
        let seen = recognizer.recognize(picture, since: ContinuousClock().now)
        guard var reading = seen.readings.first(where: { $0.isOn(inside) }) else { return nil }
        let box = reading.box.divided(by: FusedPlate.enlargement)
        reading.box = Box(
            x: (last.origin.x + box.x) * reduction, y: (last.origin.y + box.y) * reduction,
            width: max(1, box.width * reduction), height: max(1, box.height * reduction))
        reading.glyphHeight = reading.glyphHeight.map { $0 * Double(reduction) / Double(FusedPlate.enlargement) }
        return reading
    }
}

extension PlateRecognizer.Result {
    /// Takes in what several frames say of a place: instead of what this one alone says, where that is less sure.
    mutating func join(_ fused: PlateReading, at place: Box) {
        unread.removeAll { $0.box.intersection(place).area > 0 }
        guard let index = readings.firstIndex(where: { $0.isOn(place) }) else {
            readings.append(fused)
            readings.sort { $0.confidence > $1.confidence }
            return
        }
        guard fused.confidence > readings[index].confidence else { return }
        var joined = fused
        // Where it is, and whether that looks like a plate, this frame says itself.
        (joined.box, joined.look) = (readings[index].box, readings[index].look ?? fused.look)
        readings[index] = joined
        readings.sort { $0.confidence > $1.confidence }
    }
}

extension PlateReading {
    /// Whether most of it, or of the place, lies on the other.
    fileprivate func isOn(_ place: Box) -> Bool { 2 * box.intersection(place).area > min(box.area, place.area) }
}
