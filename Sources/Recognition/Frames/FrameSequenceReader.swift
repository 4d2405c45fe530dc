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
    ///   - isPassedOver: whether a place, in pixels of the picture with its width and height, doesn't count.
    package func recognize(
        _ picture: Data, at time: Instant, passingOver isPassedOver: (Box, Int, Int) -> Bool = { _, _, _ in false }
    ) throws(ImageError) -> PlateRecognizer.Result {
        let clock = ContinuousClock()
        let start = clock.now
        let decoded = try ImageDecoder.decode(picture)
        var result = recognizer.recognize(decoded, since: start)
        let began = clock.now
        let places = result.places.filter { !isPassedOver($0.box, decoded.width, decoded.height) }
        let boxes = places.map { $0.box.divided(by: decoded.reduction) }
        if let ripe = small.see(boxes, in: decoded.colours, at: time) {
            let place = places[ripe.index]
            if !result.isSettled(at: place.box, recognizer.cascade.sureConfidence),
                let reading = reading(of: ripe.looks, decoded.reduction)
            {
                result.join(reading, at: place, recognizer.parameters)
            }
        }
        result.times.readMs += (clock.now - began).milliseconds
        return result
    }

    /// What the looks at a plate, put together, read as; nil where they show nothing.
    ///
    /// - Parameter reduction: how many pixels of the frame one decoded pixel stands for.
    private func reading(of looks: [PlateLook], _ reduction: Int) -> PlateReading? {
        guard let last = looks.last, let fused = FusedPlate(looks, least: SmallPlates.leastLooks) else { return nil }
        let picture = ImageDecoder.Decoded(
            colours: fused.colours, width: fused.colours.width, height: fused.colours.height, reduction: 1)
        let inside = last.plate.scaled(by: FusedPlate.enlargement)
        let seen = recognizer.recognize(picture, since: ContinuousClock().now)
        guard var reading = seen.readings.first(where: { $0.box.isSamePlace(as: inside) && $0.bound == nil }) else {
            return nil
        }
        let height = reading.glyphHeight
        reading.glyphHeight = height.map { $0 * Double(reduction) / Double(FusedPlate.enlargement) }
        return reading
    }
}

extension PlateRecognizer.Result {
    /// Whether several frames can say nothing of a place that this one doesn't: it was read surely, or an edge or a lost end makes it doubtful.
    func isSettled(at place: Box, _ sure: Double) -> Bool {
        readings.contains { ($0.confidence >= sure || $0.bound != nil) && $0.box.isSamePlace(as: place) }
    }

    /// Takes in what several frames say of a place.
    ///
    /// It is the same pixels once more, larger: that is never more than one way of reading alone is believed. What contradicts this frame is
    /// less sure for it. Where the plate is, how large, and whether that looks like a plate, this frame says.
    mutating func join(_ fused: PlateReading, at place: PlateDetection, _ parameters: ReaderParameters) {
        var joined = fused.atMost(parameters.whole.alone)
        guard let index = readings.firstIndex(where: { $0.box.isSamePlace(as: place.box) }) else {
            // Too little to take the place of a plate that a ranger is asked to read.
            guard joined.confidence >= parameters.whole.leastAlone else { return }
            unread.removeAll { $0.box.isSamePlace(as: place.box) }
            joined.box = place.box
            joined.look = parameters.finding.look(of: place.score)
            readings.append(joined)
            readings.sort { $0.confidence > $1.confidence }
            return
        }
        let own = readings[index]
        if !own.saysTheSame(as: fused) {
            joined = joined.atMost(probability(joined.confidence, timesOdds: parameters.whole.oddsOfOther))
        }
        guard joined.confidence > own.confidence else { return }
        (joined.box, joined.look, joined.glyphHeight) = (own.box, own.look, own.glyphHeight)
        joined.colour = own.colour ?? joined.colour
        readings[index] = joined
        readings.sort { $0.confidence > $1.confidence }
    }
}
