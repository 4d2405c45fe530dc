/// What a disk with so much room left is used for.
///
/// The limits are parts of the disk, and no more than a large disk needs: with 32 GB photos go early below 2 GB, new ones are smaller
/// below 768 MB, and none is kept below 256 MB. At 2,000 vehicles a day, whose records take about 12 MB, the last 256 MB are three
/// weeks of records.
package struct DiskRoomPlan: Sendable, Equatable {
    package let totalBytes: Int

    package init(totalBytes: Int) {
        self.totalBytes = totalBytes
    }

    /// Below this the disk is short of room: photos go before their time.
    package var shortBytes: Int { min(2 << 30, totalBytes / 10) }

    /// So much is free again before that ends.
    package var enoughBytes: Int { shortBytes / 4 * 5 }

    /// Below this new photos are made smaller.
    package var smallPhotoBytes: Int { min(768 << 20, totalBytes / 25) }

    /// Below this no photo is kept: what is left is for records.
    package var reserveBytes: Int { min(256 << 20, totalBytes / 50) }

    /// How a new photo is kept.
    package enum Photos: Sendable, Equatable {
        /// As the camera gave it.
        case whole
        case smaller
        case none
    }

    package func photos(freeBytes: Int) -> Photos {
        if freeBytes < reserveBytes { return .none }
        return freeBytes < smallPhotoBytes ? .smaller : .whole
    }
}

/// How far a disk has filled, in the order in which it fills.
package enum DiskStage: Int, Sendable, Equatable, Comparable, CaseIterable {
    case ample
    case removesCompliantPhotos
    case removesOtherPhotos
    case keepsSmallPhotos
    case keepsNoPhotos

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// - Parameter round: the last round of removing.
    package init(freeBytes: Int, plan: DiskRoomPlan, after round: RetentionRound) {
        switch plan.photos(freeBytes: freeBytes) {
        case .none: self = .keepsNoPhotos
        case .smaller: self = .keepsSmallPhotos
        case .whole:
            guard freeBytes < plan.shortBytes || round.removedEarly else {
                self = .ample
                return
            }
            let isCompliantLeft = round.exhausted != .earlyCompliantPhotos && round.exhausted != .earlyOtherPhotos
            self = isCompliantLeft ? .removesCompliantPhotos : .removesOtherPhotos
        }
    }
}

/// The room on a disk at a moment.
package struct DiskSample: Sendable, Equatable {
    package var at: Instant
    package var freeBytes: Int

    /// All that was ever removed to make room, so that what came in can be told from what went.
    package var removedBytes: Int

    package init(at: Instant, freeBytes: Int, removedBytes: Int) {
        self.at = at
        self.freeBytes = freeBytes
        self.removedBytes = removedBytes
    }
}

/// When a disk will be full if things go on as they did in the last days.
package struct DiskForecast: Sendable, Equatable {
    /// What comes in, whatever goes.
    package let bytesADay: Double

    /// Over less than this a day's rate is a guess.
    static let leastSpan = TimeSpan.hours(1)

    /// - Parameter samples: the oldest first.
    /// - Returns: nil when they say nothing: too few, or less comes in than goes by other hands.
    package init?(_ samples: [DiskSample]) {
        guard let first = samples.first, let last = samples.last, last.at - first.at >= Self.leastSpan else {
            return nil
        }
        let came = (last.removedBytes - first.removedBytes) - (last.freeBytes - first.freeBytes)
        guard came > 0 else { return nil }
        bytesADay = Double(came) / (last.at - first.at).days
    }

    /// - Parameter roomBytes: what is free, with what may still be removed.
    /// - Returns: nil when it is further away than a hundred years.
    package func fullAt(roomBytes: Int, now: Instant) -> Instant? {
        let days = Double(max(0, roomBytes)) / bytesADay
        return days < 36_500 ? now + .days(days) : nil
    }
}
