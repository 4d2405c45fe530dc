import Enforcement
import Foundation
import Storage

extension FramePipeline {
    /// No frame of a live camera waits longer for a write: what takes longer goes on beside the frames that follow.
    private static let patience = 0.3

    /// Writes what a frame gave, with all that waits from before.
    ///
    /// - Parameter waits: tries until it is written, so that the frame isn't answered for before. Otherwise it is kept in memory when
    ///   it can't be written, for the next call.
    /// - Returns: the passages that are on record now.
    func record(_ write: FrameCommit, waits: Bool) async throws -> [Passage] {
        atDisk()
        var recorded: [Passage] = []
        if let written = writer.take() { recorded += conclude(written) }
        guard waits else {
            guard !writer.isBusy, trouble.isDue else {
                backlog.add(write)
                return recorded
            }
            guard !write.isEmpty || !backlog.isEmpty else { return recorded }
            begin(with: write)
            if let written = writer.take(within: Self.patience) { recorded += conclude(written) }
            return recorded
        }
        while writer.isBusy {
            atDisk()
            if let written = writer.take(within: Self.patience) {
                recorded += conclude(written)
            } else {
                try await Task.sleep(for: .seconds(Self.patience))
            }
        }
        var whole: FrameCommit? = backlog.together(with: write)
        backlog.clear()
        while let next = whole {
            atDisk()
            var commit = next
            keepHeldPictures(of: &commit)
            do {
                return recorded + isWritten(commit, try store.frames.commitWhole(commit))
            } catch let error as StoreError where error.mayPass {
                tell(error)
                whole = commit
                try await Task.sleep(for: .seconds(trouble.nextWaitSeconds()))
            } catch let error as StoreError {
                whole = withoutRefused(commit, error)
            }
        }
        return recorded
    }

    private func begin(with write: FrameCommit) {
        var whole = backlog.together(with: write)
        backlog.clear()
        keepHeldPictures(of: &whole)
        writer.begin(whole)
    }

    /// - Returns: the passages that are on record by it.
    private func conclude(_ written: FrameWriter.Written) -> [Passage] {
        do {
            return isWritten(written.whole, try written.outcome.get())
        } catch let error as StoreError where !error.mayPass {
            if let rest = withoutRefused(written.whole, error) {
                do {
                    return isWritten(rest, try store.frames.commitWhole(rest))
                } catch {
                    backlog.putBack(rest)
                }
            }
        } catch {
            backlog.putBack(written.whole)
            tell(error as? StoreError ?? StoreError(.other, "\(error)"))
            _ = trouble.nextWaitSeconds()
        }
        return []
    }

    /// The end of a run: what waits in memory is written if that can be done soon, and is told as lost otherwise.
    func giveUp(within seconds: Double = 3) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while writer.isBusy || !backlog.isEmpty, ContinuousClock.now < deadline {
            if !writer.isBusy { begin(with: FrameCommit(camera: camera, at: BoxClock.now)) }
            guard let written = writer.take(within: Self.patience) else { continue }
            _ = conclude(written)
            // A full disk says so at once: room may be made while the box stops.
            if !backlog.isEmpty { usleep(UInt32(Self.patience * 1_000_000)) }
        }
        guard writer.isBusy || !backlog.isEmpty else { return }
        log.critical(
            "the box stops, and vehicles that waited in memory are lost",
            metadata: ["camera": "\(camera)", "waited": "\(backlog.count + writer.vehicles)"])
    }

    private func isWritten(_ whole: FrameCommit, _ committed: FrameTable.Committed) -> [Passage] {
        // One that stays by an error is an orphan, and goes later.
        for photo in committed.released { try? photos.remove(photo) }
        if let state = whole.trackerState { writtenState = state }
        for recording in whole.recordings where recording.passage.photoSHA256 == nil {
            if let sha256 = recording.sighting?.bestFrame.sha256, held[sha256] != nil { late.insert(sha256) }
        }
        for sighting in whole.reviews where held[sighting.bestFrame.sha256] != nil {
            late.insert(sighting.bestFrame.sha256)
        }
        guard trouble.over() else { return committed.recorded }
        let waited = whole.recordings.count + whole.reviews.count
        log.notice("recording goes on", metadata: ["camera": "\(camera)", "waited": "\(waited)"])
        alarms?.clear("recording.\(camera)")
        tellLosses()
        return committed.recorded
    }

    /// What the schema refuses would be refused for ever: it is taken out, told, and the rest is written.
    ///
    /// - Returns: nil when nothing is left that could be written.
    private func withoutRefused(_ whole: FrameCommit, _ error: StoreError) -> FrameCommit? {
        log.critical("what a frame gave is refused by the database", metadata: ["error": "\(error)"])
        alarms?.raise(
            "recording.refused.\(camera)", .critical,
            "A vehicle in front of the camera \(camera) could not be recorded: \(error.message)",
            hint: "The log names it. Tell the maker of checkpost.")
        guard !whole.recordings.isEmpty || !whole.reviews.isEmpty else { return nil }
        var rest = whole
        rest.recordings = whole.recordings.filter { !isRefused(FrameCommit(whole, recordings: [$0])) }
        rest.reviews = whole.reviews.filter { !isRefused(FrameCommit(whole, reviews: [$0])) }
        if rest.recordings.count == whole.recordings.count, rest.reviews.count == whole.reviews.count {
            // None alone is at fault: nothing of this frame can be written but that it was taken.
            rest.recordings = []
            rest.reviews = []
        }
        if rest.unreadable == nil { rest.unreadable = .init(file: nil, reason: "refused: \(error.message)") }
        return rest
    }

    private func isRefused(_ single: FrameCommit) -> Bool {
        do {
            try store.frames.commit(single)
            return false
        } catch let error as StoreError {
            return !error.mayPass
        } catch {
            return false
        }
    }

    // MARK: Photos

    /// Writes a picture; nil when it can't be written: then it is held in memory, and the passage is recorded without it.
    func keep(_ frame: Frame, _ reference: FrameReference) -> PhotoRecord? {
        if let photo = keep(frame.picture, recordedAt: frame.recordedAt) {
            keptPhotos.insert(reference.sha256)
            return photo
        }
        held.hold(frame.picture, recordedAt: frame.recordedAt, sha256: reference.sha256)
        return nil
    }

    private func keep(_ picture: Data, recordedAt: Instant) -> PhotoRecord? {
        do {
            let photo = try photos.keep(
                picture, smaller: try PhotoRoom(folder: photos.folder.path).smaller(picture), recordedAt: recordedAt,
                at: BoxClock.now)
            if photoTrouble.over() {
                log.notice("photos are kept again", metadata: ["camera": "\(camera)"])
                alarms?.clear("photos.\(camera)")
            }
            return photo
        } catch {
            if photoTrouble.failed() {
                let reason = (error as? StoreError)?.message ?? "\(error)"
                log.error("a photo could not be kept", metadata: ["error": "\(reason)"])
                alarms?.raise(
                    "photos.\(camera)", .critical,
                    "Photos of the camera \(camera) can't be kept, and passages are recorded without them: \(reason)",
                    hint: (error as? StoreError)?.hint ?? "Look at the data folder and its disk.")
            }
            _ = photoTrouble.nextWaitSeconds()
            return nil
        }
    }

    /// Tries once more to keep the pictures that a transaction refers to.
    private func keepHeldPictures(of whole: inout FrameCommit) {
        for index in whole.recordings.indices where whole.recordings[index].passage.photoSHA256 == nil {
            guard let sha256 = whole.recordings[index].sighting?.bestFrame.sha256, let photo = keepHeld(sha256) else {
                continue
            }
            whole.photos.append(photo)
            whole.recordings[index].passage.photoSHA256 = sha256
        }
        for sighting in whole.reviews {
            if let photo = keepHeld(sighting.bestFrame.sha256) { whole.photos.append(photo) }
        }
    }

    private func keepHeld(_ sha256: String) -> PhotoRecord? {
        guard photoTrouble.isDue, let picture = held[sha256] else { return nil }
        guard let photo = keep(picture.data, recordedAt: picture.recordedAt) else { return nil }
        held.remove(sha256)
        keptPhotos.insert(sha256)
        return photo
    }

    /// Gives passages that were recorded without their photos what was held for them.
    func keepLatePhotos() {
        late = late.filter { held[$0] != nil }
        for sha256 in late {
            guard photoTrouble.isDue, trouble.isDue, let picture = held[sha256],
                let photo = keep(picture.data, recordedAt: picture.recordedAt)
            else { return }
            do {
                try store.photos.attach(photo, at: BoxClock.now)
                held.remove(sha256)
                late.remove(sha256)
            } catch {
                return
            }
        }
    }

    // MARK: Telling

    /// Raises the alarm that frames can't be recorded. An alarm that can't be written itself is in the log.
    func tell(_ error: StoreError) {
        guard trouble.failed() else { return }
        let waiting = backlog.isEmpty ? "" : " \(backlog.count) vehicles wait in memory."
        alarms?.raise(
            "recording.\(camera)", .critical,
            "What the camera \(camera) sees can't be recorded: \(error.message)\(waiting)",
            hint: error.hint ?? "It is tried again by itself.")
        if alarms == nil {
            log.critical("a frame can't be recorded; it is tried again", metadata: ["error": "\(error)"])
        }
    }

    private func tellLosses() {
        guard backlog.lost > 0 || held.lost > 0 else { return }
        alarms?.raise(
            "recording.lost.\(camera)", .warning,
            "While nothing could be recorded the memory for the camera \(camera) was full: \(backlog.lost) vehicles and "
                + "\(held.lost) photos were lost since the start.",
            hint: "Find out why the disk could not be written. This is shown for a day.")
    }
}

extension FrameCommit {
    /// Whether it would change nothing.
    fileprivate var isEmpty: Bool {
        takenKey == nil && trackerState == nil && unreadable == nil && watch == nil && recordings.isEmpty
            && reviews.isEmpty && photos.isEmpty && released.isEmpty
    }

    /// One vehicle of a transaction, by itself.
    fileprivate init(_ whole: FrameCommit, recordings: [Recording] = [], reviews: [Sighting] = []) {
        self.init(
            camera: whole.camera, photos: whole.photos, recordings: recordings, reviews: reviews, at: whole.at)
    }
}
