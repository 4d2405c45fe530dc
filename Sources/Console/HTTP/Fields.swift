import Foundation
import Hummingbird
import NIOCore

/// The fields of a form, or of a JSON object with texts, numbers and truth values.
struct Fields: Sendable {
    private var values: [String: String]

    static let maximumBytes = 64 * 1024

    init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// - Throws: `ConsoleError` for a body that is too large or is neither.
    init(_ request: Request) async throws {
        let body = try await Self.body(of: request, limit: Self.maximumBytes)
        guard !body.isEmpty else {
            values = [:]
            return
        }
        if request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true {
            guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else {
                throw ConsoleError(.badRequest, "error_input", detail: "The body is no JSON object.")
            }
            values = object.compactMapValues { value in
                (value as? String) ?? (value as? NSNumber).map { "\($0)" }
            }
        } else {
            guard
                let form = try? URLEncodedFormDecoder().decode(
                    [String: String].self, from: String(decoding: body, as: UTF8.self))
            else { throw ConsoleError(.badRequest, "error_input", detail: "The body is no form.") }
            values = form
        }
    }

    /// The value without surrounding space; nil when it is missing or empty.
    subscript(name: String) -> String? {
        guard let value = values[name]?.trimmingCharacters(in: .whitespacesAndNewlines), !value.isEmpty else {
            return nil
        }
        return value
    }

    /// As it was sent: a password may begin with a space.
    func exact(_ name: String) -> String? { values[name] }

    func text(_ name: String, most length: Int, or mistake: ConsoleError = .input) throws(ConsoleError) -> String {
        guard let value = self[name], value.count <= length else { throw mistake }
        return value
    }

    static func body(of request: Request, limit: Int) async throws -> Data {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw ConsoleError.tooLarge
        }
        do {
            return Data((try await request.body.collect(upTo: limit)).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ConsoleError.tooLarge
        }
    }
}
