import Foundation
import HTTPTypes
import Hummingbird

/// `/storage/v1/object/passage-photos/<passage id>.jpg`: upload, download and removal of photos.
package struct PhotoHandler: Sendable {
    package static let bucket = "passage-photos"

    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        let object: RouterPath = "/storage/v1/object/{bucket}/{name}"
        router.on(object, method: .post) { try await upload($0, $1, replaces: $0.headers[.upsert] == "true") }
        router.on(object, method: .put) { try await upload($0, $1, replaces: true) }
        router.on(object, method: .get) { try await download($0, $1) }
        router.on(object, method: .head) { try await download($0, $1) }
        router.on("/storage/v1/object/authenticated/{bucket}/{name}", method: .get) { try await download($0, $1) }
        router.on(object, method: .delete) { request, context in
            let gone = try await remove([try name(context)], as: gateway.knownCaller(request))
            guard !gone.isEmpty else { throw Self.notFound }
            return try json(["message": "Successfully deleted"])
        }
        router.on("/storage/v1/object/{bucket}", method: .delete) { try await removeMany($0, $1) }
    }

    private static let notFound = APIError(.notFound, "not_found", "Object not found")

    private func name(_ context: GatewayContext) throws(APIError) -> String {
        guard context.parameters.get("bucket") == Self.bucket else {
            throw APIError(.notFound, "Bucket not found", "There is no such bucket")
        }
        return (context.parameters.get("name") ?? "").lowercased()
    }

    private func upload(_ request: Request, _ context: GatewayContext, replaces: Bool) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let name = try name(context)
        let type = request.headers[.contentType] ?? ""
        let isForm = type.lowercased().hasPrefix("multipart/form-data")
        // A form has a little more than its file.
        let data = try await gateway.body(request, limit: gateway.settings.photoBytes + (isForm ? 16_384 : 0))
        guard let photo = isForm ? MultipartForm.file(in: data, contentType: type) : data else {
            throw APIError(.badRequest, "InvalidRequest", "The form has no file")
        }
        guard photo.count <= gateway.settings.photoBytes else {
            throw APIError(.contentTooLarge, "Payload too large", "The object exceeded the maximum allowed size")
        }
        guard let kind = PhotoStore.Kind(photo) else {
            throw APIError(.unsupportedMediaType, "invalid_mime_type", "The content is neither JPEG nor PNG")
        }
        // Asked before the bytes are written, so that nobody fills the disk with what isn't theirs; the policy decides again at the insert.
        let mayWrite = try await gateway.transaction(as: caller) { connection in
            try connection.run(
                "select current_setting('role') = 'service_role' or checkpost.may_write_photo($1)", [name]
            ).scalar == "t"
        }
        guard mayWrite else {
            throw APIError(.forbidden, "Unauthorized", "new row violates row-level security policy")
        }
        guard kind.fits(name: name) else {
            throw APIError(
                .unsupportedMediaType, "invalid_mime_type", "The name's extension is of another kind of picture")
        }
        let hash = try gateway.photos.store(photo)
        let metadata = #"{"mimetype":"\#(kind.rawValue)","size":\#(photo.count),"eTag":"\#(hash)"}"#
        let stored = try await gateway.transaction(as: caller) { connection in
            let update = "on conflict (bucket_id, name) do update set metadata = excluded.metadata, updated_at = now()"
            return try connection.run(
                """
                insert into storage.objects (bucket_id, name, metadata) values ($1, $2, $3::jsonb)
                \(replaces ? update : "on conflict (bucket_id, name) do nothing") returning id
                """, [Self.bucket, name, metadata]
            ).scalar
        }
        guard let id = stored else {
            throw APIError(.conflict, "Duplicate", "The resource already exists")
        }
        return try json(["Id": id, "Key": "\(Self.bucket)/\(name)", "path": name])
    }

    private func download(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let name = try name(context)
        let row = try await gateway.transaction(as: caller) { connection in
            try connection.run(
                "select metadata ->> 'eTag', metadata ->> 'mimetype' from storage.objects where bucket_id = $1 and name = $2",
                [Self.bucket, name]
            ).rows.first
        }
        guard let row, let hash = row[0], let type = row[1], let data = gateway.photos.load(hash) else {
            throw Self.notFound
        }
        let headers: HTTPFields = [
            .contentType: type, .eTag: "\"\(hash)\"", .cacheControl: "private, max-age=3600",
            .contentLength: String(data.count), .xContentTypeOptions: "nosniff",
        ]
        guard request.method != .head else { return Response(status: .ok, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    private func removeMany(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        _ = try name(context)
        guard let names = try await gateway.jsonObject(request)["prefixes"] as? [String], names.count <= 1000 else {
            throw APIError(.badRequest, "InvalidRequest", "prefixes is a list of at most 1000 names")
        }
        let gone = try await remove(names.map { $0.lowercased() }, as: caller)
        return try json(gone.map { ["name": $0, "bucket_id": Self.bucket] })
    }

    /// Deletes photos and returns the names of those that were there. A file goes when no other photo has the same bytes.
    ///
    /// - Throws: 403, and nothing is deleted, when the caller sees one of them and may not delete it.
    private func remove(_ names: [String], as caller: Caller) async throws -> [String] {
        let rows = try await gateway.transaction(as: caller) { connection in
            let parameters = [Self.bucket, SQLStatement.array(names)]
            let gone = try connection.run(
                """
                delete from storage.objects where bucket_id = $1 and name = any($2::text[])
                returning name, metadata ->> 'eTag'
                """, parameters
            ).rows
            let kept = try connection.run(
                "select name from storage.objects where bucket_id = $1 and name = any($2::text[]) limit 1", parameters)
            if let name = kept.scalar {
                throw APIError(.forbidden, "Unauthorized", "Only the warden deletes photos: \(name) is kept")
            }
            return gone
        }
        for case let hash? in rows.map({ $0[1] }) {
            let service = Caller(role: .service, claims: #"{"role":"service_role"}"#, user: nil)
            let isUsed = try await gateway.transaction(as: service) { connection in
                try connection.run("select exists (select from storage.objects where metadata ->> 'eTag' = $1)", [hash])
                    .scalar == "t"
            }
            if !isUsed { gateway.photos.remove(hash) }
        }
        return rows.compactMap(\.[0])
    }
}

/// An answer of JSON with status 200 or another.
package func json(_ value: Any, status: HTTPResponse.Status = .ok) throws -> Response {
    let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    return Response(
        status: status, headers: [.contentType: "application/json; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
}

/// An answer of JSON that is a text already.
package func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
        status: status, headers: [.contentType: "application/json; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
}
