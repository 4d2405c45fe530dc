import Enforcement
import Foundation
import Storage

/// The other direction: the passage that a row of the other post's file is.
extension ListedPassage: Decodable {
    /// What the row leaves out is empty, or what counts where nothing is said; `passage(of:at:)` tells what can't be left out. What is
    /// of no use to the other post costs no row when it is nonsense.
    package init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try row.decodeIfPresent(String.self, forKey: key) }
        func spare<Value: Decodable>(_ key: CodingKeys) -> Value? { try? row.decode(Value.self, forKey: key) }
        clientID = try text(.clientID) ?? ""
        plate = try text(.plate) ?? ""
        self.text = try text(.text) ?? ""
        raw = spare(.raw) ?? ""
        vehicleType = try text(.vehicleType) ?? VehicleType.other.rawValue
        checkpost = try text(.checkpost) ?? ""
        recordedAt = try text(.recordedAt) ?? ""
        clockState = try text(.clockState) ?? ClockState.untrusted.rawValue
        confidence = spare(.confidence)
        origin = spare(.origin) ?? ""
        photoSHA256 = try text(.photoSHA256)
        actedBy = spare(.actedBy)
        isCorrected = spare(.isCorrected) ?? false
        isWithdrawn = try row.decodeIfPresent(Bool.self, forKey: .isWithdrawn) ?? false
        isMatched = spare(.isMatched) ?? false
        counterpart = spare(.counterpart)
        violation = spare(.violation)
        travel = spare(.travel)
        syncState = spare(.syncState)
        speedAtPostKmh = spare(.speedAtPostKmh)
        smsClientID = spare(.smsClientID)
        postReviews = try row.decodeIfPresent(PostReviewsRow.self, forKey: .postReviews)
    }

    /// No box recorded before.
    private static let earliest = Instant(milliseconds: 1_577_836_800_000)

    /// How far the other box's clock may be ahead.
    private static let clockTolerance = TimeSpan.hours(24)

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter other: the code of the post at the other end.
    func word(of other: String, at now: Instant) throws -> PostWord {
        PostWord(
            try passage(of: other, at: now), isWithdrawn: isWithdrawn, text: smsClientID.flatMap(UUID.init(uuidString:))
        )
    }

    /// - Parameter other: the code of the post at the other end.
    func passage(of other: String, at now: Instant) throws -> MatchablePassage {
        guard let clientID = UUID(uuidString: clientID) else {
            throw Problem(description: "client_id is missing or no UUID")
        }
        guard let plate = PlateNormalizer.normalize(plate) else {
            throw Problem(description: "plate is missing or none")
        }
        // The post that read it knows where its spaces stand.
        let spelled = Plate(told: text).flatMap { $0 == plate ? $0 : nil } ?? plate
        guard !checkpost.isEmpty else { throw Problem(description: "checkpost is missing") }
        guard checkpost == other else {
            throw Problem(description: "it is of \(checkpost), and the post at the other end is \(other)")
        }
        guard let time = Instant(iso8601: recordedAt) else {
            throw Problem(description: "recorded_at is no time such as 2026-11-21T04:15:30.250Z")
        }
        guard time > Self.earliest, time < now + Self.clockTolerance else {
            throw Problem(description: "recorded_at is \(time.iso8601), which can't be")
        }
        return MatchablePassage(
            clientID: clientID, plate: spelled,
            vehicleType: try value(vehicleType, "vehicle_type"), checkpostCode: checkpost,
            recordedAt: time, clockState: try value(clockState, "clock_state"),
            travel: travel.flatMap(Travel.init(rawValue:)))
    }

    private func value<Value: RawRepresentable & CaseIterable>(_ text: String, _ name: String) throws -> Value
    where Value.RawValue == String {
        if let value = Value(rawValue: text) { return value }
        let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(description: "\(name) is \"\(text)\", and not one of \(allowed)")
    }
}
