import Enforcement
import Foundation
import Pages
import Ranger
import Storage

extension Action {
    static let review: [Action] = [
        Action(
            path: "record",
            help:
                "Keep the vehicle in front of the camera for review: the RECORD VEHICLE button. recorded_passage names the "
                + "passage that the camera has just made of it, to be confirmed with reviews/confirm.",
            fields: "camera (optional)"
        ) { console, fields, _ in
            let id = try await console.recordVehicle(camera: fields["camera"])
            var answer = ["id": id]
            if let stored = try console.store.sightings.sighting(id: id),
                let known = try console.ranger.recordedAlready(stored)
            {
                answer["recorded_passage"] = known.clientID.uuidString.lowercased()
                answer["recorded_plate"] = known.plate.canonical
                answer["recorded_at"] = known.recordedAt.iso8601
            }
            return Done(answer: answer, next: "/review?id=" + id.escapedForQuery)
        },
        Action(
            path: "reviews/submit",
            help:
                "Record a vehicle that waits for review as a passage. One that RECORD VEHICLE kept and that the camera has "
                + "recorded with this plate within seconds is not recorded twice (already: 1).",
            fields: "id, plate (Latin or Devanagari), vehicle_type (optional), without_picture (optional, 1)"
        ) { console, fields, active in
            var type: VehicleType?
            if let named = fields["vehicle_type"] {
                guard let known = VehicleType(rawValue: named) else { throw ConsoleError.input }
                type = known
            }
            let recorded = try console.ranger.record(
                .init(
                    sightingID: try fields.text("id", most: 100), typed: fields["plate"] ?? "", type: type,
                    withoutPicture: fields.isSet("without_picture")), by: active.user.name)
            return Done(
                answer: answer(recorded),
                next: try console.afterReview(
                    recorded.wasThere ? "already" : "recorded", of: try fields.text("id", most: 100)))
        },
        Action(
            path: "reviews/confirm",
            help: "Say that a vehicle which waits for review is the one of a passage: no second one is made.",
            fields: "id, passage"
        ) { console, fields, active in
            let recorded = try console.ranger.confirm(
                sighting: try fields.text("id", most: 100), passage: try fields.uuid("passage"), by: active.user.name)
            return Done(
                answer: answer(recorded), next: try console.afterReview("already", of: try fields.text("id", most: 100))
            )
        },
        Action(path: "reviews/discard", help: "Keep a vehicle that waits for review as nothing.", fields: "id") {
            console, fields, active in
            let id = try fields.text("id", most: 100)
            try console.ranger.discard(sighting: id, by: active.user.name)
            return Done(next: try console.afterReview("discarded", of: id))
        },
        Action(
            path: "reviews/undo",
            help:
                "Take back within an hour that a vehicle was recorded, or said to be the one of a passage: it waits for "
                + "review again, and the passage that was made of it is withdrawn.", fields: "id"
        ) { console, fields, active in
            let id = try fields.text("id", most: 100)
            try console.ranger.takeBack(sighting: id, by: active.user.name)
            return Done(answer: ["id": id], next: "/review?said=taken_back&id=" + id.escapedForQuery)
        },
        Action(
            path: "reviews/restore", help: "Take a discard back: the vehicle waits for review again.", fields: "id"
        ) { console, fields, _ in
            let id = try fields.text("id", most: 100)
            try console.ranger.restore(sighting: id)
            return Done(answer: ["id": id], next: "/review?said=restored&id=" + id.escapedForQuery)
        },
        Action(
            path: "passages/correct", help: "Give a recorded passage the right plate. Both versions are kept.",
            fields: "id, plate, reason"
        ) { console, fields, active in
            let recorded = try console.ranger.correct(
                passage: try fields.uuid("id"), typed: fields["plate"] ?? "", reason: fields["reason"] ?? "",
                by: active.user.name)
            return Done(
                answer: answer(recorded),
                next: "/passage?id=\(recorded.passage.clientID.uuidString.lowercased())&said=corrected")
        },
        Action(
            path: "passages/withdraw", help: "Take a passage back: it was none. It stays on record.",
            fields: "id, reason"
        ) { console, fields, active in
            let id = try fields.uuid("id")
            try console.ranger.withdraw(passage: id, reason: fields["reason"] ?? "", by: active.user.name)
            return Done(next: "/passage?id=\(id.uuidString.lowercased())&said=withdrawn")
        },
    ]

    /// What a program is told of a passage.
    static func answer(_ recorded: RangerActions.Recorded) -> [String: String] {
        var answer = [
            "client_id": recorded.passage.clientID.uuidString.lowercased(), "plate": recorded.passage.plate.canonical,
            "vehicle_type": recorded.passage.vehicleType.rawValue,
        ]
        if recorded.wasThere { answer["already"] = "1" }
        return answer
    }
}

extension PlateReading {
    /// Of a picture in which nothing could be read, or of none.
    static var nothing: PlateReading {
        PlateReading(
            plate: Plate(canonical: ""), raw: "", confidence: 0, box: Box(x: 0, y: 0, width: 0, height: 0), format: "",
            candidates: [], characters: [])
    }
}

extension Console {
    /// How long after it came a picture still shows the vehicle that stands there, to be on the safe side for a camera that
    /// only sends a picture when something moves.
    static let pictureAge = TimeSpan.minutes(5)

    /// Keeps the vehicle in front of a camera for review, with the newest picture and what can be read in it.
    ///
    /// Without a picture it works as well: the ranger types the plate, and the time is that of the button.
    func recordVehicle(camera: String?) async throws -> String {
        let pressed = now
        let picture = camera.flatMap { live[$0] } ?? live.newest
        guard let picture, pressed - picture.arrivedAt <= Self.pictureAge else {
            let frame = FrameReference(
                sha256: PhotoStore.sha256(of: Data()), camera: camera ?? "", recordedAt: pressed,
                clockState: host.time.clockState, stampedBy: host.time.stampedBy)
            return try store.sightings.add(
                ManualReview(camera: camera, photo: nil, frame: frame, reading: .nothing, pressedAt: pressed))
        }
        let frame = picture.frame
        // A picture that can't be read now is shown without a reading, and the ranger types what is to be seen.
        let readings = picture.plates.isEmpty ? (try? await host.read(frame.picture).readings) ?? [] : picture.plates
        let reading = readings.max { $0.confidence < $1.confidence } ?? .nothing
        // A full disk keeps no picture; the vehicle is recorded all the same.
        let photo = try? photos.keep(frame.picture, recordedAt: frame.recordedAt, at: pressed)
        let reference = FrameReference(
            sha256: PhotoStore.sha256(of: frame.picture), camera: picture.camera, recordedAt: frame.recordedAt,
            clockState: frame.clockState, stampedBy: frame.stampedBy)
        return try store.sightings.add(
            ManualReview(
                camera: picture.camera, photo: photo, frame: reference, reading: reading, pressedAt: pressed))
    }
}
