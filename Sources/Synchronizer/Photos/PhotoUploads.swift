import Enforcement
import Foundation
import ParkAPI
import Storage

/// Photos, each under its passage's id at the server. They come last, and step aside for a new passage.
final class PhotoUploads {
    private static let maximumAttempts = 5

    /// Below this a picture shows no plate any more.
    private static let leastPhotoBytes = 50_000

    private let context: SyncContext
    private let outbox: Outbox
    private let ledger: DataLedger
    private let surroundings: any SyncSurroundings

    /// Until when a photo that failed is left alone, by its passage, on `SyncClock.uptime`.
    private var waits: [UUID: Instant] = [:]
    private var nextRevival: Instant

    /// Why none was sent in the last cycle, where it is for the link's sake.
    private(set) var wait: PhotoAllowance.Wait?

    init(_ context: SyncContext, outbox: Outbox, ledger: DataLedger, surroundings: any SyncSurroundings) {
        self.context = context
        self.outbox = outbox
        self.ledger = ledger
        self.surroundings = surroundings
        nextRevival = context.clock.uptime
    }

    func upload() throws {
        wait = nil
        guard context.settings.photosACycle > 0 else { return }
        wait = try waitForLink()
        guard wait == nil else { return }
        if context.clock.uptime >= nextRevival {
            try context.store.photos.reviveFailed()
            nextRevival = context.clock.uptime + .hours(1)
        }
        let waiting = try context.store.photos.dueUploads(
            limit: 200, isScarce: context.settings.photoAllowance.megabytesAMonth != nil)
        waits = waits.filter { $0.value > context.clock.uptime }
        var tried = 0
        for upload in waiting where waits[upload.passageClientID] == nil {
            if tried > 0, try waitForLink() != nil { return }
            guard tried < context.settings.photosACycle else { return context.requestCycle() }
            if tried > 0, try outbox.hasDueEntry() { return context.requestCycle() }
            tried += 1
            try send(upload)
        }
    }

    private func waitForLink() throws -> PhotoAllowance.Wait? {
        if context.line.isThroughPeer { return .peer }
        let allowance = context.settings.photoAllowance
        guard allowance != PhotoAllowance() else { return nil }
        return allowance.wait(used: try ledger.used(), at: context.clock.now)
    }

    private func send(_ upload: PhotoUpload) throws {
        guard let serverID = upload.passageServerID else { return }
        let place = PhotoPlace(of: serverID)
        do {
            guard try sendPicture(of: upload, to: place) else { return }
            let (named, _) = try context.askForVerdict(
                .update(
                    RowQuery<PassageColumn>().whose(.id, .equals(serverID)).telling([.id]),
                    PassagePatch.photoPath(place.name)))
            guard try accept(named, of: upload) else { return }
        } catch let end as CycleEnd {
            try fail(upload, end.reason, isRefused: false)
            throw end
        }
        var done = upload
        done.status = .uploaded
        done.lastAttemptAt = context.clock.now
        done.lastError = nil
        try context.store.photos.update(done, photoPath: place.name)
        context.counts.photos += 1
    }

    /// Sends a photo's picture. One that is too long for the server, or for what stands before it, is made smaller at once.
    ///
    /// - Returns: whether the server has it.
    private func sendPicture(of upload: PhotoUpload, to place: PhotoPlace) throws -> Bool {
        var limit = context.settings.maximumPhotoBytes
        let plate = surroundings.platePlace(of: upload).map { [PlatePlace.field: $0.sent] } ?? [:]
        while true {
            let photo: PreparedPhoto
            do {
                photo = try surroundings.photo(upload.photo, maximumBytes: limit)
            } catch {
                try fail(upload, "the photo can't be prepared: \(error)", isRefused: false)
                return false
            }
            guard photo.bytes.count <= limit else {
                try fail(upload, "the photo has \(photo.bytes.count) bytes", isRefused: true)
                return false
            }
            var request = SyncRequest(
                .post, place.path,
                // Bytes that were made smaller have another hash than the passage says: the server is told of what they are a copy.
                headers: [
                    "Content-Type": photo.mediaType, "x-upsert": "true",
                    PhotoPlace.originalField: upload.photo.sha256,
                ].merging(plate) { $1 }, body: photo.bytes, timeout: .minutes(10))
            request.mayGoThroughPeer = false
            let (verdict, answer) = try context.askForVerdict(request)
            let smaller = photo.bytes.count / 2
            guard answer?.status == 413, smaller >= Self.leastPhotoBytes else { return try accept(verdict, of: upload) }
            limit = smaller
        }
    }

    private func accept(_ verdict: Verdict, of upload: PhotoUpload) throws -> Bool {
        switch verdict {
        case .accepted, .duplicate: return true
        case .refused(let reason), .tooLong(let reason), .unsendable(let reason):
            try fail(upload, reason, isRefused: true)
        case .unauthorised, .forbidden, .unwell, .silent: try fail(upload, verdict.reason, isRefused: false)
        }
        return false
    }

    private func fail(_ upload: PhotoUpload, _ reason: String, isRefused: Bool) throws {
        var failed = upload
        failed.attempts += 1
        failed.lastAttemptAt = context.clock.now
        failed.lastError = reason
        failed.isRefused = isRefused
        if isRefused || failed.attempts >= Self.maximumAttempts { failed.status = .failed }
        waits[upload.passageClientID] =
            context.clock.uptime
            + context.settings.queue.backoff.delay(attempt: failed.attempts, random: context.random())
        try context.store.photos.update(failed)
    }
}
