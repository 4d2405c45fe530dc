import Enforcement
import Foundation
import TOMLKit

/// Reads `checkpost.toml` and collects every mistake in it, not only the first.
package struct ConfigurationReader {
    private let lines: ConfigurationLines
    package private(set) var mistakes: [ConfigurationMistake] = []

    /// The values that can stand, by `section.key`; cameras by `camera[index].key`.
    private var values: [String: any TOMLValueConvertible] = [:]
    private var cameraCount = 0

    /// A configuration is a page; what is larger is something else.
    private static let maximumBytes = 256 * 1024

    /// - Throws: `ConfigurationError` with all mistakes.
    package static func read(path: String) throws -> Configuration {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(path: path, mistakes: [Self.unreadable(path)])
        }
        guard data.count <= maximumBytes, let text = String(data: data, encoding: .utf8) else {
            throw ConfigurationError(
                path: path,
                mistakes: [.init(problem: "this is no text in UTF-8 of at most 256 KiB", allowed: "a TOML file")])
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return try read(text: text, path: path, relativeTo: folder)
    }

    private static func unreadable(_ path: String) -> ConfigurationMistake {
        var status = stat()
        let code = stat(path, &status) == 0 ? 0 : errno
        switch (code, status.st_mode & S_IFMT) {
        case (ENOENT, _), (ENOTDIR, _): return .init(problem: "there is no such file", allowed: allowed)
        case (0, S_IFDIR): return .init(problem: "this is a folder", allowed: allowed)
        case (0, S_IFREG), (EACCES, _):
            return .init(
                problem: "the file can't be read: permission is missing",
                allowed: "sudo before the command, or a member of the group checkpost")
        case (0, _): return .init(problem: "this is a device or a pipe, and no file", allowed: allowed)
        default:
            return .init(problem: "the file can't be read: \(String(cString: strerror(code)))", allowed: allowed)
        }
    }

    private static let allowed = "a file that `checkpost setup` writes, or name another with --config"

    package static func read(text: String, path: String, relativeTo folder: String) throws -> Configuration {
        var reader = ConfigurationReader(text)
        let configuration = reader.parse(text, relativeTo: folder)
        guard reader.mistakes.isEmpty, let configuration else {
            throw ConfigurationError(path: path, mistakes: reader.mistakes.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
        }
        return configuration
    }

    private init(_ text: String) {
        lines = ConfigurationLines(text)
    }

    private mutating func parse(_ text: String, relativeTo folder: String) -> Configuration? {
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            mistakes.append(
                .init(
                    line: Int(error.source.begin.line), problem: "this is no TOML: \(error.description)",
                    allowed: "key = value, texts in quotes, sections in [brackets]"))
            return nil
        } catch {
            mistakes.append(.init(problem: "this is no TOML: \(error)", allowed: "a TOML file"))
            return nil
        }
        checkSections(table)
        var builder = ConfigurationBuilder(
            values: values, cameraCount: cameraCount, lines: lines, folder: folder, mistakenLines: mistakes.map(\.line))
        let configuration = builder.build()
        mistakes += builder.mistakes
        return configuration
    }

    private mutating func checkSections(_ table: TOMLTable) {
        let known = ConfigurationSchema.sections.map(\.name)
        for name in table.keys.sorted() where !known.contains(name) {
            mistakes.append(
                .init(
                    line: lines[name],
                    problem: "there is no section or key \"\(name)\"" + suggestion(name, among: known),
                    allowed: known.map { $0 == "camera" ? "[[camera]]" : "[\($0)]" }.joined(separator: ", ")))
        }
        for section in ConfigurationSchema.sections {
            if section.name == "camera" {
                checkCameras(table)
            } else if let value = table[section.name] {
                guard let content = value.table else {
                    mistakes.append(
                        .init(
                            line: lines[section.name], problem: "\"\(section.name)\" is a section",
                            allowed: "[\(section.name)]"))
                    continue
                }
                check(content, section: section.name, path: section.name)
            } else if section.isRequired {
                mistakes.append(
                    .init(
                        problem: "the section [\(section.name)] is missing",
                        allowed: "[\(section.name)] with " + keys(of: section.name)))
            }
        }
    }

    /// What a section must have, in words.
    private func keys(of section: String) -> String {
        ConfigurationSchema.keys(of: section).filter(\.isRequired).map(\.name).joined(separator: ", ")
    }

    private mutating func checkCameras(_ table: TOMLTable) {
        guard let value = table["camera"] else {
            mistakes.append(.init(problem: "there is no camera", allowed: "one section [[camera]] for each"))
            return
        }
        guard let array = value.array else {
            mistakes.append(
                .init(line: lines["camera"], problem: "\"camera\" is a list", allowed: "[[camera]] in double brackets"))
            return
        }
        cameraCount = array.count
        for (index, element) in array.enumerated() {
            guard let content = element.table else { continue }
            check(content, section: "camera", path: "camera[\(index)]")
        }
    }

    private mutating func check(_ content: TOMLTable, section: String, path: String) {
        let names = ConfigurationSchema.keys(of: section).map(\.name)
        let cameraKind = content["kind"]?.string
        for name in content.keys.sorted() {
            guard let value = content[name] else { continue }
            let line = lines["\(path).\(name)"]
            guard let key = ConfigurationSchema.key(section, name) else {
                mistakes.append(
                    .init(
                        line: line, problem: "[\(section)] has no key \"\(name)\"" + suggestion(name, among: names),
                        allowed: names.joined(separator: ", ")))
                continue
            }
            if let kinds = key.cameraKinds, let cameraKind, !kinds.contains(cameraKind),
                ConfigurationSchema.cameraKinds.contains(cameraKind)
            {
                mistakes.append(
                    .init(
                        line: line, problem: "a camera of kind \"\(cameraKind)\" has no \"\(name)\"",
                        allowed: "\"\(name)\" for \(kinds.joined(separator: ", "))"))
                continue
            }
            guard isAllowed(value, key.kind) else {
                mistakes.append(.init(line: line, problem: "\(name) can't be this", allowed: key.allowed))
                continue
            }
            values["\(path).\(name)"] = value
        }
        for key in ConfigurationSchema.keys(of: section) where key.isRequired && content[key.name] == nil {
            mistakes.append(
                .init(
                    line: lines[path], problem: "[\(section)] lacks \"\(key.name)\"", allowed: key.allowed)
            )
        }
    }

    private func isAllowed(_ value: any TOMLValueConvertible, _ kind: ConfigurationKey.Kind) -> Bool {
        switch kind {
        case .text: return value.string != nil
        case .choice(let choices): return value.string.map(choices.contains) ?? false
        case .number(let range): return (value.double ?? value.int.map(Double.init)).map(range.contains) ?? false
        case .whole(let range): return value.int.map(range.contains) ?? false
        case .choiceOfNumber(let choices): return value.int.map(choices.contains) ?? false
        case .flag: return value.bool != nil
        case .utcOffset: return value.string.flatMap(utcOffset) != nil
        case .hours: return value.string.flatMap(HoursOfDay.init) != nil
        case .mask: return value.string.flatMap { PictureMask($0) } != nil
        case .typeSpeeds: return value.string.flatMap { TypeSpeeds(typed: $0) } != nil
        case .hourLimits: return value.string.flatMap { HourLimits(typed: $0) } != nil
        case .fines: return value.string.flatMap { $0.isEmpty ? true : FineSchedule.List($0) != nil } == true
        }
    }

    private func suggestion(_ name: String, among known: [String]) -> String {
        let nearest = known.map { ($0, editDistance($0, name)) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= 2 else { return "" }
        return " (did you mean \"\(nearest.0)\"?)"
    }
}

/// `+05:45` as a span; nil for anything else.
func utcOffset(_ text: String) -> TimeSpan? {
    var scanner = DigitScanner(text)
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    return offset
}
