import Foundation

/// As much of JSON Schema (2020-12) as the documented shapes use; a word that it doesn't know is an error, not passed over.
struct JSONSchema {
    private let root: [String: Any]

    /// The schema of a command's `--json`, from `deploy/docs/schemas`.
    init(command: String) throws {
        let name = command.replacingOccurrences(of: " ", with: "-") + ".json"
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(name))
        root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    init(text: String) throws {
        root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    static let folder = Checkout.root.appendingPathComponent("deploy/docs/schemas")

    /// What is wrong with a value, with its place in it; empty when nothing is.
    func problems(_ value: Any) -> [String] { check(value, root, at: "") }

    private static let annotations: Set<String> = ["$schema", "$defs", "title", "description"]
    private static let known: Set<String> = [
        "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "enum", "pattern",
        "anyOf", "$ref",
    ]

    private func check(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        var problems = schema.keys.filter { !Self.annotations.contains($0) && !Self.known.contains($0) }
            .map { "\(place): the schema says \($0), which this doesn't know" }
        if let name = schema["$ref"] as? String {
            let definitions = root["$defs"] as? [String: Any]
            guard let referred = definitions?[String(name.dropFirst("#/$defs/".count))] as? [String: Any] else {
                return problems + ["\(place): there is no \(name)"]
            }
            problems += check(value, referred, at: place)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let found = choices.map { check(value, $0, at: place) }
            if !found.contains(where: \.isEmpty) { problems += found.min { $0.count < $1.count } ?? [] }
        }
        if let type = schema["type"] as? String, !Self.isOf(type, value) { return problems + ["\(place): no \(type)"] }
        if let values = schema["enum"] as? [AnyHashable], (value as? AnyHashable).map(values.contains) != true {
            problems.append("\(place): \(value) is none of \(values)")
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            problems.append("\(place): \(text) doesn't look like \(pattern)")
        }
        if let object = value as? [String: Any] { problems += checkObject(object, schema, at: place) }
        if let list = value as? [Any],
            list.count < schema["minItems"] as? Int ?? 0
                || list.count > schema["maxItems"] as? Int ?? .max
        {
            problems.append("\(place): \(list.count) elements")
        }
        if let list = value as? [Any], let item = schema["items"] as? [String: Any] {
            problems += list.enumerated().flatMap { check($1, item, at: "\(place)[\($0)]") }
        }
        return problems
    }

    private func checkObject(_ object: [String: Any], _ schema: [String: Any], at place: String) -> [String] {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
        return missing.map { "\(place): \($0) is missing" }
            + object.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
                if let property = properties[key] { return check(value, property, at: "\(place).\(key)") }
                switch schema["additionalProperties"] {
                case let rest as [String: Any]: return check(value, rest, at: "\(place).\(key)")
                case let isAllowed as Bool where !isAllowed: return ["\(place): \(key) is not documented"]
                default: return []
                }
            }
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        let number = value as? NSNumber
        let isBoolean = number.map { CFBooleanLike.is($0) } ?? false
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isBoolean
        case "null": return value is NSNull
        case "integer": return !isBoolean && number.map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        case "number": return !isBoolean && number != nil
        default: return false
        }
    }

    /// What JSON's `true` is read as, which is a number as well.
    private enum CFBooleanLike {
        static func `is`(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
    }
}
