import Enforcement
import Foundation
import Modem
import Pages
import ParkAPI

/// What the office has set for one post over the post's file.
struct PostSettings: Decodable, Sendable {
    var id: String
    var code: String
    var name: String
    var held: String
    /// What a form says that it knew.
    var version: String
    var updated: Micros?

    static func of(_ code: String, _ connection: PostgresConnection) throws -> PostSettings? {
        try connection.list(
            PostSettings.self,
            """
            select c.id, c.code, c.name, coalesce(d.settings, '{}')::text as held, md5(coalesce(d.settings, '{}')::text) as version,
                \(Micros.of("d.updated_at")) as updated
            from checkposts c left join device_settings d on d.checkpost_id = c.id where c.code = $1 limit 1
            """, [code]
        ).first
    }

    /// By their names, those too that this server doesn't know: a newer box may.
    var values: [String: JSONValue] {
        guard case .object(let fields)? = try? JSONValue(Data(held.utf8)) else { return [:] }
        return fields
    }

    /// As somebody types it; empty where the post's file holds.
    func typed(_ setting: PostSetting) -> String {
        switch values[setting.name] {
        case .text(let text)?: text
        case .integer(let number)?: String(number)
        case .number(let number)?: RoadNumbers.text(number)
        default: ""
        }
    }

    /// Why what was typed can't be set.
    struct Mistake: Error {
        let setting: PostSetting
    }

    /// All settings with those that were typed, as JSON. What was left empty goes back to the post's file.
    func replaced(by typed: (PostSetting) -> String?) throws -> String {
        var values = values
        for setting in PostSetting.all {
            let text = (typed(setting) ?? "").trimmingCharacters(in: .whitespaces)
            values[setting.name] = text.isEmpty ? nil : try Self.value(text, setting)
        }
        return String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }

    private static func value(_ text: String, _ setting: PostSetting) throws(Mistake) -> JSONValue {
        if setting.value == .phone {
            guard let number = PhoneNumber(text), number.kind != .alphanumeric else { throw Mistake(setting: setting) }
            return .text("\(number)")
        }
        guard let number = TypedNumber.plain(text, digits: 7).flatMap(Double.init), setting.allows(number) else {
            throw Mistake(setting: setting)
        }
        return number == number.rounded() ? .integer(Int64(number)) : .number(number)
    }
}

extension PostSetting {
    /// What it is called on a page.
    func label(_ texts: Texts) -> String { texts["field_" + name] }

    /// What may be typed, as people say it.
    func hint(_ texts: Texts) -> String {
        guard case .number(let range, _) = value else { return "+977…" }
        return [range.lowerBound, range.upperBound].map { texts.digits(RoadNumbers.text($0)) }.joined(separator: " – ")
    }
}
