import Enforcement
import Foundation
import Storage

extension Action {
    static let review: [Action] = [
        Action(
            path: "record", help: "Keep the vehicle in front of the camera for review: the RECORD VEHICLE button.",
            fields: "camera (optional)"
        ) { console, fields, _ in
            let id = try await console.recordVehicle(camera: fields["camera"])
            return Done(answer: ["id": id], next: "/review?id=" + id.escapedForQuery)
        },
        Action(
            path: "reviews/submit", help: "Record a vehicle that waits for review as a passage.",
            fields: "id, plate (Latin or Devanagari), vehicle_type (optional), without_picture (optional, 1)"
        ) { console, fields, active in
            let passage = try console.submit(fields, by: active.user)
            return Done(
                answer: [
                    "client_id": passage.clientID.uuidString.lowercased(), "plate": passage.plate.canonical,
                    "vehicle_type": passage.vehicleType.rawValue,
                ], next: "/?said=recorded")
        },
        Action(path: "reviews/discard", help: "Keep a vehicle that waits for review as nothing.", fields: "id") {
            console, fields, active in
            try console.store.discardReviewed(
                sightingID: try fields.text("id", most: 100), by: active.user.name, at: console.now)
            return Done(next: "/?said=discarded")
        },
        Action(
            path: "passages/correct", help: "Give a recorded passage the right plate. Both versions are kept.",
            fields: "id, plate, reason"
        ) { console, fields, active in
            let id = try fields.uuid("id")
            let plate = try fields.plate("plate")
            let reason = try fields.text("reason", most: 200, or: ConsoleError(.unprocessableContent, "error_reason"))
            let passage = try console.store.correct(
                clientID: id, to: plate, reason: reason, by: active.user.name, at: console.now)
            console.host.match([passage])
            return Done(
                answer: ["client_id": id.uuidString.lowercased(), "plate": passage.plate.canonical],
                next: "/passage?id=\(id.uuidString.lowercased())&said=corrected")
        },
        Action(
            path: "passages/withdraw", help: "Take a passage back: it was none. It stays on record.",
            fields: "id, reason"
        ) { console, fields, active in
            let id = try fields.uuid("id")
            let reason = try fields.text("reason", most: 200, or: ConsoleError(.unprocessableContent, "error_reason"))
            try console.store.withdraw(clientID: id, reason: reason, by: active.user.name, at: console.now)
            return Done(next: "/passage?id=\(id.uuidString.lowercased())&said=withdrawn")
        },
    ]
}

extension Fields {
    func uuid(_ name: String) throws(ConsoleError) -> UUID {
        guard let id = self[name].flatMap(UUID.init(uuidString:)) else { throw .input }
        return id
    }

    func plate(_ name: String) throws(ConsoleError) -> Plate {
        guard let text = self[name], let plate = try? PlateNormalizer.plate(typed: text) else {
            throw ConsoleError(.unprocessableContent, "error_plate")
        }
        return plate
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

extension Sighting {
    /// How old the picture was when RECORD VEHICLE was pressed, and whether that is too old for its time to be the vehicle's.
    ///
    /// A simulated clock's pictures have times of another day: they are taken as they are.
    var pictureAgeAtButton: (age: TimeSpan, isOld: Bool) {
        let age = firstSeenAt - bestFrame.recordedAt
        let isManual = camera.hasPrefix(ManualReview.cameraPrefix)
        return (age, isManual && bestFrame.clockState != .simulated && age > APIRoutes.oldPicture)
    }
}

extension String {
    /// As the value in a URL's query.
    var escapedForQuery: String {
        addingPercentEncoding(
            withAllowedCharacters: CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")) ?? ""
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
                clockState: host.clockState)
            return try store.add(
                ManualReview(camera: camera, photo: nil, frame: frame, reading: .nothing, pressedAt: pressed))
        }
        let frame = picture.frame
        let readings = picture.plates.isEmpty ? (try? await host.read(frame.picture).readings) ?? [] : picture.plates
        let reading = readings.max { $0.confidence < $1.confidence } ?? .nothing
        // A full disk keeps no picture; the vehicle is recorded all the same.
        let photo = try? photos.keep(frame.picture, recordedAt: frame.recordedAt, at: pressed)
        let reference = FrameReference(
            sha256: PhotoStore.sha256(of: frame.picture), camera: picture.camera, recordedAt: frame.recordedAt,
            clockState: frame.clockState)
        return try store.add(
            ManualReview(
                camera: picture.camera, photo: photo, frame: reference, reading: reading, pressedAt: pressed))
    }

    /// Records what a ranger made of a vehicle that waited.
    func submit(_ fields: Fields, by user: User) throws -> Passage {
        let id = try fields.text("id", most: 100)
        let plate = try fields.plate("plate")
        guard let stored = try store.sighting(id: id), stored.state == .review else {
            throw ConsoleError(.conflict, "error_gone")
        }
        let sighting = stored.sighting
        let isManual = sighting.camera.hasPrefix(ManualReview.cameraPrefix)
        let withoutPicture = isManual && fields.isSet("without_picture")
        let type: VehicleType
        if let named = fields["vehicle_type"] {
            guard let known = VehicleType(rawValue: named) else { throw ConsoleError.input }
            type = known
        } else {
            type = VehicleType.guess(of: plate, format: sighting.reading.format)
        }
        let hasButtonTime = withoutPicture || sighting.pictureAgeAtButton.isOld
        let isUnchanged = plate == sighting.reading.plate
        let passage = Passage(
            clientID: UUID(), plate: plate, plateRaw: isUnchanged ? sighting.reading.raw : fields["plate"] ?? "",
            vehicleType: type, checkpostCode: post.code,
            recordedAt: hasButtonTime ? sighting.firstSeenAt : sighting.bestFrame.recordedAt,
            clockState: hasButtonTime ? host.clockState : sighting.bestFrame.clockState,
            confidence: isUnchanged && !isManual ? sighting.reading.confidence : nil,
            origin: isManual ? .manual : .review,
            photoSHA256: stored.hasPhoto && !withoutPicture ? sighting.bestFrame.sha256 : nil, actedBy: user.name)
        try store.recordReviewed(sightingID: id, as: passage, by: user.name, at: now)
        host.match([passage])
        return passage
    }
}
