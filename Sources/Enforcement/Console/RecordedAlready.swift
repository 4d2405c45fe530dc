/// Tells whether the vehicle that a ranger wants recorded is on record already: a camera that saw it a second ago has made a
/// passage of it, and a second one would be a vehicle that never comes out.
package enum RecordedAlready {
    /// How far apart a passage and the button may be: one vehicle stands before the camera that long, and the next one comes
    /// later.
    package static let span = TimeSpan.seconds(30)

    /// The passage that the vehicle may have; the nearest in time.
    ///
    /// - Parameters:
    ///   - plate: what was read of the vehicle, or typed; empty when nothing was.
    ///   - times: when the button was pressed, and when the picture was taken.
    ///   - passages: those of this post that are not withdrawn.
    package static func passage(ofVehicle plate: Plate, at times: [Instant], among passages: [Passage]) -> Passage? {
        func distance(_ passage: Passage) -> TimeSpan {
            times.map { (passage.recordedAt - $0).magnitude }.min() ?? .hours(24)
        }
        return passages.filter { distance($0) <= span && mayBe($0.plate, plate) }
            .min { (distance($0), $0.clientID.uuidString) < (distance($1), $1.clientID.uuidString) }
    }

    private static func mayBe(_ recorded: Plate, _ seen: Plate) -> Bool {
        seen.compact.isEmpty || recorded == seen || LookAlike.mayBeSame(recorded, seen)
    }
}
