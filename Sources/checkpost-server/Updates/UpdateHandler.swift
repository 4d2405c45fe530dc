import Foundation
import HTTPTypes
import Hummingbird
import ParkAPI

/// `/updates/v1/<sha256>`: the bytes of a package that is offered to the caller's post, in whole or from one byte to another, so that a
/// box goes on where a link broke.
package struct UpdateHandler: Sendable {
    private let gateway: Gateway
    private let store: UpdateStore

    package init(_ gateway: Gateway) {
        self.gateway = gateway
        store = UpdateStore(folder: gateway.settings.updateFolder)
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on("\(ParkPath.updates)/{sha256}", method: method) { request, context in
                try await package(request, sha256: context.parameters.get("sha256") ?? "")
            }
        }
    }

    private func package(_ request: Request, sha256: String) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let row = try await gateway.transaction(as: caller, readsOnly: true) { connection in
            try connection.run(
                "select bytes from public.box_updates where sha256 = $1 and ended_at is null limit 1", [sha256]
            ).scalar
        }
        guard let bytes = row.flatMap({ Int($0) }) else {
            throw APIError(.notFound, "not_found", "No such package is offered to you")
        }
        // It is logged for the park's operator, who offers it again.
        guard let file = FileHandle(forReadingAtPath: store.path(sha256)), try file.seekToEnd() == UInt64(bytes) else {
            throw APIError(
                .serviceUnavailable, "package_unreadable", "The file of this package is gone or cut off: offer it again"
            )
        }
        var headers: HTTPFields = [
            .contentType: "application/vnd.debian.binary-package", .eTag: "\"\(sha256)\"", .acceptRanges: "bytes",
            .xContentTypeOptions: "nosniff",
        ]
        guard let range = request.headers[.range].flatMap({ Self.range($0) }) else {
            return Response(status: .ok, headers: headers, body: try Self.body(file, 0..<bytes))
        }
        guard range.lowerBound < bytes else {
            headers[.contentRange] = "bytes */\(bytes)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        let part = range.clamped(to: 0..<bytes)
        headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes)"
        return Response(status: .partialContent, headers: headers, body: try Self.body(file, part))
    }

    /// `bytes=A-B` or `bytes=A-`; nil for anything else, which is answered in whole.
    static func range(_ text: String) -> Range<Int>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return nil }
        if ends[1].isEmpty { return first..<Int.max }
        guard let last = Int(ends[1]), last >= first, last < Int.max else { return nil }
        return first..<last + 1
    }

    private static func body(_ file: FileHandle, _ part: Range<Int>) throws -> ResponseBody {
        try file.seek(toOffset: UInt64(part.lowerBound))
        return .pieces(bytes: part.count) { try file.read(upToCount: $0) ?? Data() }
    }
}
