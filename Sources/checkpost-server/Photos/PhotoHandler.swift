import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import Pages
import ParkAPI

/// `/storage/v1/object/passage-photos/<passage id>.jpg`: upload, download and removal of photos.
package struct PhotoHandler: Sendable {
    private static let bucket = PhotoPlace.bucket

    package let gateway: Gateway

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        let object: RouterPath = "\(ParkPath.photos)/{bucket}/{name}"
        // `x-upsert` and PUT mean the same as without: a photo that is stored stays.
        router.on(object, method: .post) { try await upload($0, $1) }
        router.on(object, method: .put) { try await upload($0, $1) }
        router.on(object, method: .get) { try await download($0, $1) }
        router.on(object, method: .head) { try await download($0, $1) }
        router.on("\(ParkPath.photos)/authenticated/{bucket}/{name}", method: .get) { try await download($0, $1) }
        router.on(object, method: .delete) { request, context in
            let gone = try await remove([try name(context)], as: gateway.knownCaller(request))
            guard !gone.isEmpty else { throw Self.notFound }
            return try json(["message": "Successfully deleted"])
        }
        router.on("\(ParkPath.photos)/{bucket}", method: .delete) { try await removeMany($0, $1) }
    }

    private static let notFound = APIError(.notFound, "not_found", "Object not found")

    private func name(_ context: GatewayContext) throws(APIError) -> String {
        guard context.parameters.get("bucket") == Self.bucket else {
            throw APIError(.notFound, "Bucket not found", "There is no such bucket")
        }
        return (context.parameters.get("name") ?? "").lowercased()
    }

    /// Takes a photo. Once it is stored it is never replaced: it is evidence. A smaller copy, whose bytes nothing vouches for, is marked as
    /// one and gives way to the photo that the passage was recorded with.
    ///
    /// Whether the caller may, and whether there is one already, is asked before the body is read; the policy decides again at the insert.
    private func upload(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        let name = try name(context)
        let place = try await place(name, as: caller)
        guard place.may == true else {
            throw APIError(.forbidden, "Unauthorized", "new row violates row-level security policy")
        }
        let photo = try await photo(request)
        guard let kind = PhotoStore.Kind(photo) else {
            throw APIError(.unsupportedMediaType, "invalid_mime_type", "The content is neither JPEG nor PNG")
        }
        let hash = PhotoStore.hash(of: photo)
        let copied = try original(of: hash, place, said: request.headers[.photoOriginal])
        let photos = gateway.photos
        try await NIOThreadPool.singleton.runIfActive { try photos.store(photo, hash: hash) }
        let copyOf = copied.map { #","copyOf":"\#($0)""# } ?? ""
        let plate =
            request.headers[.photoPlate].flatMap(PlatePlace.init(sent:)).map { #","plate":"\#($0.sent)""# } ?? ""
        let metadata =
            #"{"mimetype":"\#(kind.rawValue)","size":\#(photo.count),"eTag":"\#(hash)"\#(copyOf)\#(plate)}"#
        let row = try await gateway.transaction(as: caller) { connection in
            // One at a time for a passage, so that two endings at the same moment don't both find none.
            try connection.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [String(name.prefix(36))])
            guard try connection.run("select checkpost.photo_place($1) ->> 'has_other'", [name]).scalar != "true" else {
                throw Self.second
            }
            // A removal of these bytes under another name may have taken the file since; it waits for this transaction, or is over.
            try Self.lock(hash, connection)
            try photos.store(photo, hash: hash)
            try connection.run(
                """
                insert into storage.objects (bucket_id, name, metadata) values ($1, $2, $3::jsonb)
                on conflict (bucket_id, name) do update set metadata = excluded.metadata
                    where objects.metadata ? 'copyOf' and not excluded.metadata ? 'copyOf'
                """, [Self.bucket, name, metadata])
            return try connection.run(
                "select id, metadata ->> 'eTag' from storage.objects where bucket_id = $1 and name = $2",
                [Self.bucket, name]
            ).rows.first
        }
        // Two uploads at the same moment: one of them was first.
        guard let row, let id = row[0], row[1] == hash else { throw Self.duplicate }
        if copied != nil { gateway.journal.changed("store a smaller copy of a photo", rows: [name], by: caller) }
        if let copy = place.stored, copy != hash { try await removeUnused(copy) }
        return try json(["Id": id, "Key": "\(Self.bucket)/\(name)", "path": name])
    }

    /// What is known of the place of a photo.
    private struct Place: Decodable {
        var may: Bool?
        var sha256: String?
        var stored: String?
        var isCopy: Bool?
        var hasOther: Bool?
    }

    private func place(_ name: String, as caller: Caller) async throws -> Place {
        try await gateway.transaction(as: caller, readsOnly: true) { connection in
            try connection.object(Place.self, "select checkpost.photo_place($1)", [name], empty: "{}")
        }
    }

    private func photo(_ request: Request) async throws -> Data {
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
        return photo
    }

    /// Compares the bytes with those that are stored, and with those that the passage was recorded with.
    ///
    /// - Parameter original: of what photo these bytes are a smaller copy, as the box says: a photo that is too large for the server or
    ///   for what stands before it is sent smaller.
    /// - Returns: the hash of the photo that these bytes are a copy of, by the sender's word; nil when they are the photo itself.
    private func original(of hash: String, _ place: Place, said original: String?) throws(APIError) -> String? {
        let recorded = place.sha256?.lowercased()
        if let stored = place.stored {
            let isCopy = place.isCopy == true
            if stored == hash { return isCopy ? recorded : nil }
            guard isCopy, recorded == hash else { throw Self.duplicate }
        }
        guard place.hasOther != true else { throw Self.second }
        guard let recorded, recorded != hash else { return nil }
        guard recorded == original?.lowercased() else {
            throw APIError(
                .conflict, "Mismatch",
                "These are not the bytes that the passage was recorded with: its photo_sha256 differs")
        }
        return recorded
    }

    private static let duplicate = APIError(
        .conflict, "Duplicate", "The resource already exists, with other bytes; a photo is never replaced")

    private static let second = APIError(
        .conflict, "Duplicate", "The passage has a photo already, under another ending; there is one for each")

    private func download(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await photo(try name(context), as: gateway.knownCaller(request), isHead: request.method == .head)
    }

    /// In what form a page wants a photo. Where no other can be made, it is the photo itself.
    package enum Form: String { case whole, small, plate }

    /// A photo that the caller may see.
    package func photo(
        _ name: String, as caller: Caller, isHead: Bool = false, form: Form = .whole
    ) async throws -> Response {
        let row = try await gateway.transaction(as: caller, readsOnly: true) { connection in
            try connection.run(
                """
                select metadata ->> 'eTag', metadata ->> 'mimetype', metadata ->> 'plate' from storage.objects
                where bucket_id = $1 and name = $2
                """, [Self.bucket, name]
            ).rows.first
        }
        guard let row, let hash = row[0], let type = row[1] else { throw Self.notFound }
        let photos = gateway.photos
        let cut = SmallPicture.Cut(form, plate: row[2])
        let (found, smaller) = try await NIOThreadPool.singleton.runIfActive { () -> (PhotoStore.Found, Data?) in
            let smaller = try cut.flatMap { try photos.small.picture(of: hash, $0) { try photos.whole(hash) } }
            return (smaller == nil ? try photos.open(hash) : .none, smaller)
        }
        if let smaller {
            return bytes(smaller, Self.jpegType, cacheControl: Self.cacheControl)
        }
        guard case .whole(let file) = found else {
            guard case .damaged = found else { throw Self.notFound }
            gateway.log.error(
                "a photo is not what was stored: bring it back from a backup", metadata: ["photo": "\(hash)"])
            throw APIError(.serviceUnavailable, "photo_damaged", "The file of this photo is damaged")
        }
        let headers: HTTPFields = [
            .contentType: type, .eTag: "\"\(hash)\"", .cacheControl: Self.cacheControl,
            .contentLength: String(file.bytes), .xContentTypeOptions: "nosniff",
        ]
        guard !isHead else { return Response(status: .ok, headers: headers) }
        return Response(status: .ok, headers: headers, body: .pieces(bytes: file.bytes) { try file.next($0) })
    }

    private static let cacheControl = "private, max-age=3600"
    private static let jpegType = PhotoStore.Kind.jpeg.rawValue

    private func removeMany(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let caller = try gateway.knownCaller(request)
        _ = try name(context)
        guard let names = try await gateway.jsonObject(request, as: PhotoNames.self)?.prefixes, names.count <= 1000
        else {
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
            // If the server stops before the files are gone, they are remembered. The server itself does that, and not the caller.
            let hashes = gone.compactMap { $0[1] }.sorted()
            if !hashes.isEmpty {
                try connection.run("select set_config('role', 'service_role', true)")
                try connection.run(
                    "select checkpost.loosen_photo(h) from unnest($1::text[]) h", [SQLStatement.array(hashes)])
            }
            return gone
        }
        for case let hash? in rows.map({ $0[1] }) { try await removeUnused(hash) }
        let removed = rows.compactMap(\.[0])
        if !removed.isEmpty { gateway.journal.changed("delete photos", rows: removed, by: caller) }
        return removed
    }

    /// What can't be removed now is removed by the timer, as soon as the storage answers.
    private func removeUnused(_ hash: String) async throws {
        let photos = gateway.photos
        do {
            try await gateway.transaction(as: .service) { try RemovalRound.settle(hash, photos, $0) }
        } catch is S3Outage, is RemovalRound.Stuck {
            try await gateway.transaction(as: .service) {
                _ = try $0.run("select checkpost.loosen_photo($1)", [hash])
            }
        }
    }

    /// Whoever takes bytes into use or away does it alone, until the transaction ends.
    private static func lock(_ hash: String, _ connection: PostgresConnection) throws {
        try connection.run("select pg_advisory_xact_lock(hashtextextended($1, 1))", [hash])
    }
}

/// The photos that are to be deleted.
private struct PhotoNames: Decodable { var prefixes: [String] }

/// An answer of JSON with status 200 or another.
package func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(value)
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
