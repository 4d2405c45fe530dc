import Enforcement
import Foundation
import GRDB

extension UUID {
    /// How a UUID is stored: lower-case text, as the server writes it.
    var stored: String { uuidString.lowercased() }
}

extension Row {
    func uuid(_ column: String) throws -> UUID {
        guard let id = try optionalUUID(column) else { throw missing(column) }
        return id
    }

    func optionalUUID(_ column: String) throws -> UUID? {
        guard let text = try optionalText(column) else { return nil }
        guard let id = UUID(uuidString: text) else {
            throw StoreError(.unreadable, "The database holds \(text.prefix(40)) in \(column), where a UUID belongs.")
        }
        return id
    }

    func instant(_ column: String) throws -> Instant {
        Instant(milliseconds: try decode(Int64.self, forColumn: column))
    }

    func optionalInstant(_ column: String) throws -> Instant? {
        try decode(Int64?.self, forColumn: column).map(Instant.init(milliseconds:))
    }

    func text(_ column: String) throws -> String { try decode(String.self, forColumn: column) }
    func optionalText(_ column: String) throws -> String? { try decode(String?.self, forColumn: column) }
    func integer(_ column: String) throws -> Int { try decode(Int.self, forColumn: column) }
    func number(_ column: String) throws -> Double { try decode(Double.self, forColumn: column) }
    func optionalNumber(_ column: String) throws -> Double? { try decode(Double?.self, forColumn: column) }
    func flag(_ column: String) throws -> Bool { try decode(Bool.self, forColumn: column) }
    func plate(_ column: String) throws -> Plate { Plate(canonical: try text(column)) }

    /// An enumeration by its raw value.
    func choice<Choice: RawRepresentable<String>>(_ column: String, _ type: Choice.Type = Choice.self) throws -> Choice
    {
        let raw = try text(column)
        guard let choice = Choice(rawValue: raw) else {
            throw StoreError(
                .unreadable, "The database holds \(raw.prefix(40)) in \(column), which this version does not know.")
        }
        return choice
    }

    private func missing(_ column: String) -> StoreError {
        StoreError(.unreadable, "The database holds nothing in \(column), where something belongs.")
    }
}

extension Row {
    /// The columns of `passages`.
    func passage() throws -> Passage {
        Passage(
            clientID: try uuid("client_id"), plate: try plate("plate"), plateRaw: try text("plate_raw"),
            vehicleType: try choice("vehicle_type"), checkpostCode: try text("checkpost_code"),
            recordedAt: try instant("recorded_at"), clockState: try choice("clock_state"),
            stampedBy: try bootClock(), confidence: try optionalNumber("confidence"), origin: try choice("origin"),
            photoSHA256: try optionalText("photo_sha256"), actedBy: try optionalText("acted_by"),
            travel: try travel("travel"))
    }

    /// Nil in what was asked without the column, and in a damaged database of an older version, which has none.
    func travel(_ column: String) throws -> Travel? {
        hasColumn(column) ? try optionalText(column).flatMap(Travel.init(rawValue:)) : nil
    }

    /// The columns `boot` and `boot_started_at`, with an optional prefix to their names. A damaged database of an older version has none.
    func bootClock(prefix: String = "") throws -> BootClock? {
        guard hasColumn(prefix + "boot"), let boot = try optionalText(prefix + "boot") else { return nil }
        return BootClock(boot: boot, startedAt: try instant(prefix + "boot_started_at"))
    }

    /// nil for a row that makes no sense: it is matched with nothing, and holds up no other.
    func matchable() throws -> MatchablePassage? {
        do {
            return try matchablePassage()
        } catch let error as StoreError where error.kind == .unreadable {
            return nil
        } catch is RowDecodingError {
            return nil
        }
    }

    /// The columns of `remote_passages`.
    func remotePassage() throws -> MatchablePassage {
        var passage = try matchablePassage()
        passage.serverID = try optionalUUID("server_id")
        passage.serverSequence = try decode(Int64?.self, forColumn: "server_sequence")
        return passage
    }

    /// The columns that `passages` and `remote_passages` share, with an optional prefix to their names.
    func matchablePassage(prefix: String = "") throws -> MatchablePassage {
        MatchablePassage(
            clientID: try uuid(prefix + "client_id"), plate: try plate(prefix + "plate"),
            vehicleType: try choice(prefix + "vehicle_type"), checkpostCode: try text(prefix + "checkpost_code"),
            recordedAt: try instant(prefix + "recorded_at"), clockState: try choice(prefix + "clock_state"),
            isOfText: hasColumn(prefix + "is_text") ? try flag(prefix + "is_text") : false,
            travel: try travel(prefix + "travel"))
    }

    /// The columns of `violations`, with an optional prefix to their names.
    func violation(prefix: String = "") throws -> Violation {
        Violation(
            id: try uuid(prefix + "id"), kind: try choice(prefix + "kind"),
            entryClientID: try uuid(prefix + "entry_client_id"), exitClientID: try uuid(prefix + "exit_client_id"),
            plate: try plate(prefix + "plate"), vehicleType: try choice(prefix + "vehicle_type"),
            entryTime: try instant(prefix + "entry_time"), exitTime: try instant(prefix + "exit_time"),
            distanceKm: try number(prefix + "distance_km"), speedLimitKmh: try number(prefix + "speed_limit_kmh"),
            toleranceKmh: try number(prefix + "tolerance_kmh"),
            tolerancePercent: try number(prefix + "tolerance_percent"),
            calculatedSpeedKmh: try optionalNumber(prefix + "calculated_speed_kmh"),
            isImplausible: try flag(prefix + "is_implausible"), state: try choice(prefix + "state"))
    }
}
