import Enforcement
import Foundation
import Storage

extension RangerActions {
    /// What a ranger makes of a vehicle that waits for review.
    package struct Decision: Sendable {
        package var sightingID: String

        /// As it was typed; nil confirms what was read.
        package var typed: String?

        /// Nil for what the plate says.
        package var type: VehicleType?

        /// The picture shows another vehicle: only where the ranger asked for the record.
        package var withoutPicture: Bool

        package init(sightingID: String, typed: String?, type: VehicleType? = nil, withoutPicture: Bool = false) {
            self.sightingID = sightingID
            self.typed = typed
            self.type = type
            self.withoutPicture = withoutPicture
        }
    }

    /// Records a vehicle that waited as a passage.
    ///
    /// One that a ranger wanted recorded and that has its passage already, with that very plate, is not recorded twice: no
    /// vehicle passes twice within seconds.
    package func record(_ decision: Decision, by ranger: String) throws -> Recorded {
        let stored = try waiting(decision.sightingID)
        let sighting = stored.sighting
        let reading = sighting.reading
        guard decision.typed != nil || !(reading.plate.compact.isEmpty || reading.plate.isPartial) else {
            throw RangerRefusal.notRead(reading.plate)
        }
        let typed = try decision.typed.map { try Self.plate($0) } ?? reading.plate
        let isUnchanged = typed == reading.plate
        // The reader's spelling knows the format; a person leaves out spaces.
        let isBare = !(decision.typed ?? "").contains { !$0.isLetter && !$0.isNumber }
        let plate = isUnchanged ? reading.plate : isBare ? typed.spelled(like: reading.plate) : typed
        if sighting.isManual, let known = try recordedAlready(stored, plate: plate), known.plate == plate {
            return try confirm(sighting: sighting.id, as: known, by: ranger)
        }
        let withoutPicture = sighting.isManual && decision.withoutPicture
        let hasButtonTime = withoutPicture || sighting.pictureAgeAtButton.isOld
        let frame = sighting.bestFrame
        let time =
            hasButtonTime ? timeNow : StampedState(clockState: frame.clockState, stampedBy: frame.stampedBy)
        let passage = Passage(
            clientID: UUID(), plate: plate, plateRaw: isUnchanged ? reading.raw : decision.typed ?? "",
            vehicleType: decision.type ?? .guess(of: plate, format: isUnchanged ? reading.format : nil),
            checkpostCode: checkpostCode,
            recordedAt: hasButtonTime ? sighting.firstSeenAt : frame.recordedAt,
            clockState: time.clockState, stampedBy: time.stampedBy,
            confidence: isUnchanged && !sighting.isManual ? reading.confidence : nil,
            origin: sighting.isManual ? .manual : .review,
            photoSHA256: stored.hasPhoto && !withoutPicture ? frame.sha256 : nil, actedBy: ranger,
            travel: sighting.travel)
        try store.sightings.recordReviewed(sightingID: sighting.id, as: passage, by: ranger, at: now)
        return matched(passage)
    }

    /// The passage that a vehicle which a ranger wants recorded has already; nil for what a camera was unsure of.
    package func recordedAlready(_ stored: StoredSighting, plate: Plate? = nil) throws -> Passage? {
        let sighting = stored.sighting
        guard sighting.isManual else { return nil }
        let times = [sighting.firstSeenAt, sighting.bestFrame.recordedAt]
        let passages = try times.flatMap { time in
            try store.passages.list(
                PassageFilter(
                    from: time - RecordedAlready.span, until: time + RecordedAlready.span + .milliseconds(1),
                    includesWithdrawn: false), limit: 100)
        }
        return RecordedAlready.passage(
            ofVehicle: plate ?? sighting.reading.plate, at: times, among: passages.map(\.passage))
    }

    /// Says that a vehicle which waits is the one of a passage: no second one is made.
    package func confirm(sighting id: String, passage clientID: UUID, by ranger: String) throws -> Recorded {
        let stored = try waiting(id)
        guard let passage = try store.passages.passage(clientID: clientID), passage.withdrawnAt == nil else {
            throw RangerRefusal.gone(.passage)
        }
        return try confirm(sighting: stored.sighting.id, as: passage.passage, by: ranger)
    }

    private func confirm(sighting id: String, as passage: Passage, by ranger: String) throws -> Recorded {
        try store.sightings.confirmReviewed(sightingID: id, isPassage: passage.clientID, by: ranger, at: now)
        return Recorded(passage: passage, violations: [], wasThere: true)
    }

    /// Keeps a sighting as nothing: no vehicle, or one that is recorded already.
    package func discard(sighting id: String, by ranger: String) throws {
        try store.sightings.discardReviewed(sightingID: id, by: ranger, at: now)
    }

    /// Takes a discard back: the sighting waits for review again.
    package func restore(sighting id: String) throws {
        try store.sightings.restoreDiscarded(sightingID: id)
    }

    /// How long a recorded sighting can be taken back; after that its passage is corrected or withdrawn.
    package static let takeBackAge = TimeSpan.hours(1)

    /// Takes back that a sighting was recorded a moment ago: it waits for review again, and the passage that was made of it is
    /// withdrawn.
    package func takeBack(sighting id: String, by ranger: String) throws {
        try outcomeGate.alone {
            if let passage = try store.sightings.sighting(id: id)?.passageClientID {
                try demandNoOutcome(ofPassage: passage)
            }
            try store.sightings.takeBackReviewed(
                sightingID: id, since: now - Self.takeBackAge, reason: "Taken back at once.", by: ranger, at: now)
        }
    }

    private func waiting(_ id: String) throws -> StoredSighting {
        guard let stored = try store.sightings.sighting(id: id), stored.state == .review else {
            throw RangerRefusal.gone(.sighting(id))
        }
        return stored
    }
}

extension Sighting {
    /// A ranger pressed RECORD VEHICLE.
    package var isManual: Bool { camera.hasPrefix(ManualReview.cameraPrefix) }

    /// From this age on a picture is old: what it shows may long be gone.
    package static let oldPicture = TimeSpan.seconds(30)

    /// How old the picture was when RECORD VEHICLE was pressed, and whether that is too old for its time to be the vehicle's.
    ///
    /// A simulated clock's pictures have times of another day: they are taken as they are.
    package var pictureAgeAtButton: (age: TimeSpan, isOld: Bool) {
        let age = firstSeenAt - bestFrame.recordedAt
        return (age, isManual && bestFrame.clockState != .simulated && age > Self.oldPicture)
    }
}
