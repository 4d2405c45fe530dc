import Crypto
import Enforcement
import Foundation
import Hummingbird
import Storage

/// Script, sounds and pictures. Only what is named here can be fetched: there is no folder behind it.
struct AssetRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        asset(router, "/static/console.js", PackageResources.console_js, "text/javascript; charset=utf-8")
        asset(router, "/static/keys.js", PackageResources.keys_js, "text/javascript; charset=utf-8")
        asset(router, "/static/icon.svg", PackageResources.icon_svg, "image/svg+xml")
        for finding in RangerAlert.Finding.allCases {
            asset(router, "/sounds/\(finding.rawValue).wav", [UInt8](AlertSound.wave(finding)), "audio/wav")
        }
        router.get("/photos/{sha256}") { _, context in
            _ = try context.user()
            guard let sha256 = context.parameters.get("sha256"), sha256.utf8.count == 64,
                let record = try console.store.photos.record(sha256: sha256)
            else { throw ConsoleError.notFound }
            // A picture never changes: its name is its hash.
            return bytes(
                try console.photos.read(record), record.mediaType, cacheControl: "private, max-age=86400, immutable")
        }
        router.get("/photos/other/{passage}") { _, context in
            _ = try context.user()
            guard let id = context.parameters.get("passage").flatMap({ UUID(uuidString: $0) }),
                let picture = console.otherPictures.read(id)
            else { throw ConsoleError.notFound }
            return bytes(picture.bytes, picture.mediaType, cacheControl: "private, max-age=3600")
        }
        router.get("/live") { request, context in
            _ = try context.user()
            let camera = request.uri.queryParameters.get("camera").map { String($0) } ?? ""
            guard let picture = console.live[camera] ?? (camera.isEmpty ? console.live.newest : nil) else {
                throw ConsoleError.notFound
            }
            return bytes(picture.frame.picture, mediaType(picture.frame.picture))
        }
    }

    private func mediaType(_ picture: Data) -> String {
        picture.prefix(4).elementsEqual([0x89, 0x50, 0x4E, 0x47]) ? "image/png" : "image/jpeg"
    }

    private func asset(
        _ router: Router<ConsoleContext>, _ path: String, _ content: [UInt8], _ type: String
    ) {
        let tag = "\"" + hexadecimal(Data(SHA256.hash(data: Data(content)).prefix(8))) + "\""
        router.get("\(path)") { request, _ in
            if request.headers[.ifNoneMatch] == tag {
                return Response(status: .notModified, headers: [.eTag: tag, .cacheControl: "no-cache"])
            }
            var answer = bytes(content, type, cacheControl: "no-cache")
            answer.headers[.eTag] = tag
            return answer
        }
    }
}
