import Enforcement
import Foundation
import Storage

/// What is left out of a camera's pictures now: what was drawn at the box, or else what the configuration says.
struct MaskInUse {
    /// Whoever saves one sees within so many seconds what it does.
    private static let interval = Duration.seconds(2)

    private let camera: String
    private let store: Store
    private let configured: PictureMask
    private(set) var mask: PictureMask
    private var lookedAt: ContinuousClock.Instant?

    init(of camera: String, _ configuration: Configuration, store: Store) {
        (self.camera, self.store) = (camera, store)
        configured = configuration.mask(of: camera)
        mask = configured
    }

    /// Reads what was drawn, when it hasn't been read for a while. What can't be read leaves the last one.
    mutating func current(at now: ContinuousClock.Instant = .now) -> PictureMask {
        if let lookedAt, now - lookedAt < Self.interval { return mask }
        lookedAt = now
        // Whoever holds the database keeps nobody from being recorded: a frame doesn't wait for this.
        guard store.trouble == nil else { return mask }
        do { mask = try store.cameraMasks.mask(of: camera)?.mask ?? configured } catch {}
        return mask
    }
}

extension Configuration {
    /// What the configuration leaves out of a camera's pictures.
    func mask(of camera: String) -> PictureMask { cameras.first { $0.name == camera }?.mask ?? PictureMask() }

    /// What a vehicle that comes towards a camera does, where the configuration says it.
    func approaching(of camera: String) -> Travel? { cameras.first { $0.name == camera }?.approaching }

    /// Lower characters, in pixels, are passed over.
    func leastGlyphHeight(of camera: String) -> Double {
        cameras.first { $0.name == camera }?.leastGlyphHeight ?? 0
    }

    /// How the vehicles before a camera are followed.
    func tracking(of camera: String) -> SightingTracker.Settings {
        var tracking = reader.tracking
        tracking.approaching = approaching(of: camera)
        guard let camera = cameras.first(where: { $0.name == camera }) else { return tracking }
        tracking.recording = camera.recording ?? tracking.recording
        tracking.night = camera.night
        return tracking
    }
}
