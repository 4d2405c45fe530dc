import Foundation

/// The parameters as they lie on disk.
extension ReaderParameters {
    package static let fileName = "reader.json"

    /// Why a file of parameters can't be used.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notJSON
        case otherVersion(Int)
        case missing(String)
        case unfit(String)
        case unknown(String)
        case outside(String, ClosedRange<Double>)

        package var description: String {
            switch self {
            case .notJSON: "it is no JSON: damaged, or no file of parameters"
            case .otherVersion(let version):
                "it is of version \(version), and this program reads version \(ReaderParameters.version)"
            case .missing(let name): "\(name) is missing"
            case .unfit(let name): "\(name) isn't of the kind that belongs there"
            case .unknown(let name): "\(name) is no parameter of this program"
            case .outside(let name, let range):
                "\(name) is to lie between \(Self.plain(range.lowerBound)) and \(Self.plain(range.upperBound))"
            }
        }

        private static func plain(_ value: Double) -> String {
            value == value.rounded() ? String(Int(value)) : String(value)
        }
    }

    /// Reads what a file holds, and refuses what it can't stand for: a parameter that is missing, unknown or out of all reason.
    package init(_ data: Data) throws(Failure) {
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw .notJSON }
        // Another version may have other names: what is wrong with it is that it is another one.
        if let version = (object["version"] as? NSNumber)?.intValue, version != Self.version {
            throw .otherVersion(version)
        }
        // Asked first: the decoder doesn't say where it met a fraction.
        let fraction = Self.numbers(in: object, below: "").first {
            Self.isWhole($0.name) && $0.value != $0.value.rounded()
        }
        if let fraction { throw .unfit(fraction.name) }
        do {
            self = try Self.decoder.decode(Self.self, from: data)
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .missing(Self.name(context.codingPath + [key]))
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw .unfit(Self.name(context.codingPath))
        } catch DecodingError.dataCorrupted(let context) {
            throw .unfit(Self.name(context.codingPath))
        } catch {
            throw .notJSON
        }
        let known = try asObject()
        if let stray = Self.strays(in: object, besides: known).min() { throw .unknown(stray) }
        try check()
    }

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()

    /// `cascade.sure_confidence`, as it stands in the file.
    private static func name(_ path: [any CodingKey]) -> String {
        path.map { key in
            key.intValue.map(String.init)
                ?? key.stringValue.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
        }.joined(separator: ".")
    }

    private func asObject() throws(Failure) -> [String: Any] {
        guard let data = try? Self.encoder.encode(self),
            let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { throw .notJSON }
        return object
    }

    /// The names that a file has and the program doesn't.
    private static func strays(in file: [String: Any], besides known: [String: Any]) -> [String] {
        file.flatMap { key, value -> [String] in
            guard let own = known[key] else { return [key] }
            guard key != "made_for", let inner = value as? [String: Any], let inOwn = own as? [String: Any] else {
                return []
            }
            return strays(in: inner, besides: inOwn).map { "\(key).\($0)" }
        }
    }
}

/// The parameters by name, as numbers.
extension ReaderParameters {
    /// A number and its name in the file.
    package struct Named: Sendable, Equatable, Encodable {
        package var name: String
        package var value: Double
    }

    /// All that are numbers, by name.
    package var numbers: [Named] {
        let all = (try? asObject()).map { Self.numbers(in: $0, below: "") } ?? []
        return all.filter { $0.name != "version" }.sorted { $0.name < $1.name }
    }

    private static func numbers(in object: [String: Any], below path: String) -> [Named] {
        object.flatMap { key, value -> [Named] in
            if let inner = value as? [String: Any] { return numbers(in: inner, below: "\(path)\(key).") }
            guard let number = value as? NSNumber, !isTruth(number) else { return [] }
            return [Named(name: path + key, value: number.doubleValue)]
        }
    }

    private static func isTruth(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    /// The same parameters with one number changed.
    ///
    /// - Throws: `unknown` for a name that none has, `unfit` for a fraction where a whole number belongs, `outside`.
    package func setting(_ name: String, to value: Double) throws(Failure) -> ReaderParameters {
        guard numbers.contains(where: { $0.name == name }) else { throw .unknown(name) }
        var parts = name.split(separator: ".").map(String.init)
        let changed = Self.replacing(&parts, in: try asObject(), with: value)
        guard let data = try? JSONSerialization.data(withJSONObject: changed) else { throw .unfit(name) }
        return try ReaderParameters(data)
    }

    private static func replacing(
        _ path: inout [String], in object: [String: Any], with value: Double
    ) -> [String: Any] {
        var changed = object
        let key = path.removeFirst()
        if path.isEmpty {
            changed[key] = value == value.rounded() ? NSNumber(value: Int(value)) : NSNumber(value: value)
        } else if let inner = object[key] as? [String: Any] {
            changed[key] = replacing(&path, in: inner, with: value)
        }
        return changed
    }

    /// Whether a number counts something.
    package static func isWhole(_ name: String) -> Bool { name.contains(".lines") || name.hasSuffix("_px") }

    /// What a number may be: beyond it the reader would be absurd, or stop.
    package static func range(of name: String) -> ClosedRange<Double> {
        if name.hasPrefix("evidence.") || name.contains(".evidence.") { return -1000...1000 }
        if name.contains(".lines") || name.hasPrefix("whole.odds") { return 0...1000 }
        if name.hasSuffix("_px") { return 0...Double(RowCrop.middle) }
        // A vote of several frames makes more of it: from here on five alike would be recorded by themselves.
        if name == "whole.alone" { return 0...0.5 }
        if name == "whole.sure_place" { return 0.01...0.99 }
        if name.contains(".row.") { return 0...30 }
        return 0...1
    }

    private func check() throws(Failure) {
        for number in numbers {
            let range = Self.range(of: number.name)
            guard range.contains(number.value) else { throw .outside(number.name, range) }
        }
        for (script, profile) in [("latin", scripts.latin), ("devanagari", scripts.devanagari)] {
            guard (1...20).contains(profile.looks.count) else { throw .unfit("scripts.\(script).looks") }
        }
    }
}
