import Foundation
import HTTPTypes
import Hummingbird

/// How the client wants its rows: an array, or the one object that there is.
package struct AnswerForm: Sendable {
    package var isSingle: Bool

    /// - Throws: 406 for a form that isn't known and for another schema than `public`.
    package init(_ request: Request) throws(APIError) {
        for name in [HTTPField.Name.acceptProfile, .contentProfile] {
            if let profile = request.headers[name], profile != "public" {
                throw APIError(.notAcceptable, "PGRST106", "The schema must be one of the following: public")
            }
        }
        let types = (request.headers[.accept] ?? "").split(separator: ",").map {
            // The parameters, such as a quality, don't matter here.
            $0.prefix { $0 != ";" }.trimming(while: \.isWhitespace)
        }
        isSingle = types.contains("application/vnd.pgrst.object+json")
        guard
            isSingle || types.isEmpty
                || types.contains(where: { ["*/*", "application/*", "application/json"].contains($0) })
        else {
            throw APIError(
                .notAcceptable, "PGRST107",
                "None of these media types are available: \(types.joined(separator: ", ").prefix(100))")
        }
    }

    /// The body: the whole array, or its only row.
    package func text(of array: JSONArray) throws(APIError) -> String {
        guard isSingle else { return array.text }
        guard array.count == 1 else {
            throw APIError(
                .notAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object",
                details: "The result contains \(array.count) rows")
        }
        // json_agg writes `[row]` around a single row.
        return String(array.text.dropFirst().dropLast())
    }

    package func response(_ status: HTTPResponse.Status, _ headers: HTTPFields, body: String?) -> Response {
        var headers = headers
        guard let body else { return Response(status: status, headers: headers) }
        headers[.contentType] =
            isSingle ? "application/vnd.pgrst.object+json; charset=utf-8" : "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}

/// A JSON array that PostgreSQL wrote, and how many rows it has.
package struct JSONArray: Sendable {
    package let text: String
    package let count: Int

    private struct Named: Decodable { var id, key: JSONText? }

    /// The ids of the rows that have one, a few at most, for the log.
    var ids: [String] {
        let rows = try? JSONDecoder().decode([Named].self, from: Data(text.utf8))
        return (rows ?? []).prefix(5).compactMap { $0.id?.text ?? $0.key?.text }
    }

    /// Takes the one row of a statement that answers with the array and the number.
    package init(_ rows: PostgresRows) {
        text = rows.scalar ?? "[]"
        count = rows.rows.first?.last.flatMap(\.self).flatMap(Int.init) ?? 0
    }
}
