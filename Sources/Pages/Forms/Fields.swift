import Foundation
import Hummingbird
import NIOCore

/// The fields of a form, or of a JSON object with texts, numbers and truth values.
package struct Fields: Sendable {
    private var values: [String: String]

    package static let maximumBytes = 64 * 1024

    package init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// - Throws: `PageError` for a body that is too large or is neither.
    package init(_ request: Request) async throws {
        let body = try await Self.body(of: request, limit: Self.maximumBytes)
        guard !body.isEmpty else {
            values = [:]
            return
        }
        if request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true {
            guard let object = try? JSONDecoder().decode([String: JSONValue].self, from: body) else {
                throw PageError(.badRequest, "error_input", detail: "The body is no JSON object.")
            }
            values = object.compactMapValues(\.text)
        } else {
            values = try Self.form(body)
        }
    }

    /// - Throws: `PageError` for a body that is no form.
    package init(form body: Data) throws(PageError) {
        values = try Self.form(body)
    }

    private static func form(_ body: Data) throws(PageError) -> [String: String] {
        let text = String(decoding: body, as: UTF8.self)
        guard let form = try? URLEncodedFormDecoder().decode([String: String].self, from: text) else {
            throw PageError(.badRequest, "error_input", detail: "The body is no form.")
        }
        return form
    }

    /// The value without surrounding space; nil when it is missing or empty.
    package subscript(name: String) -> String? {
        guard let value = values[name]?.trimmingCharacters(in: .whitespacesAndNewlines), !value.isEmpty else {
            return nil
        }
        return value
    }

    /// Whether a box is ticked: `1` of a form, `true` of a program.
    package func isSet(_ name: String) -> Bool { self[name] == "1" || self[name] == "true" }

    /// As it was sent: a password may begin with a space.
    package func exact(_ name: String) -> String? { values[name] }

    package func text(_ name: String, most length: Int, or mistake: PageError = .input) throws(PageError) -> String {
        guard let value = self[name], value.count <= length else { throw mistake }
        return value
    }

    package static func body(of request: Request, limit: Int) async throws -> Data {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw PageError.tooLarge
        }
        do {
            return Data((try await request.body.collect(upTo: limit)).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw PageError.tooLarge
        }
    }
}

extension Fields {
    package func uuid(_ name: String) throws(PageError) -> UUID {
        guard let id = self[name].flatMap(UUID.init(uuidString:)) else { throw .input }
        return id
    }
}

/// A value of a JSON object, as the text that a form would have sent. A truth value is no number.
private struct JSONValue: Decodable {
    /// Nil for null, lists and objects.
    let text: String?

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let truth = try? value.decode(Bool.self) {
            text = "\(truth)"
        } else if let whole = try? value.decode(Int64.self) {
            text = "\(whole)"
        } else {
            text = (try? value.decode(Double.self)).map { "\($0)" }
        }
    }
}
