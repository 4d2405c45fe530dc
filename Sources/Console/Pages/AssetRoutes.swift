import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// Script, sounds and pictures. Only what is named here can be fetched: there is no folder behind it.
struct AssetRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        let assets = [
            "pages.js": PageAsset.script, "icon.svg": PageAsset.icon,
            "console.js": PageAsset(PackageResources.console_js, "text/javascript; charset=utf-8"),
            "keys.js": PageAsset(PackageResources.keys_js, "text/javascript; charset=utf-8"),
            "aim.js": PageAsset(PackageResources.aim_js, "text/javascript; charset=utf-8"),
        ]
        for (name, asset) in assets { router.get("/static/\(name)") { request, _ in asset.answer(request) } }
        for finding in RangerAlert.Finding.allCases {
            let sound = PageAsset([UInt8](AlertSound.wave(finding)), "audio/wav")
            router.get("/sounds/\(finding.rawValue).wav") { request, _ in sound.answer(request) }
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
            let camera = request.formQuery.get("camera") ?? ""
            guard let picture = console.live[camera] ?? (camera.isEmpty ? console.live.newest : nil) else {
                throw ConsoleError.notFound
            }
            return bytes(picture.frame.picture, mediaType(picture.frame.picture))
        }
    }

    private func mediaType(_ picture: Data) -> String {
        picture.prefix(4).elementsEqual([0x89, 0x50, 0x4E, 0x47]) ? "image/png" : "image/jpeg"
    }
}
