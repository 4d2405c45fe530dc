import Enforcement
import Testing

@Suite("What is kept at the box", .timeLimit(.minutes(5)))
struct RetentionPolicyTests {
    private let now = Instant(milliseconds: 1_795_255_200_000)
    private let policy = RetentionPolicy()

    /// A passage of so many days ago.
    private func passage(
        _ days: Double, isSynced: Bool = true, isPhotoSynced: Bool = true, isMatched: Bool = true, isOpen: Bool = false,
        foundDaysAgo: Double? = nil
    ) -> KeptPassage {
        KeptPassage(
            since: now - .days(days), isSynced: isSynced, isPhotoSynced: isPhotoSynced, isMatched: isMatched,
            isOpen: isOpen, foundAt: foundDaysAgo.map { now - .days($0) })
    }

    private func photo(_ passages: KeptPassage..., isWatched: Bool = false) -> KeptPhoto {
        KeptPhoto(keptAt: passages.first?.since ?? now - .days(40), isWatched: isWatched, passages: passages)
    }

    private func removal(_ photo: KeptPhoto, _ need: RetentionPolicy.Need = .none) -> RetentionPolicy.Removal? {
        policy.removal(of: photo, need: need, at: now)
    }

    @Test func `keeps a compliant vehicle's photo thirty days, and an offender's a year`() {
        #expect(removal(photo(passage(29.9))) == nil)
        #expect(removal(photo(passage(30))) == .compliantPhoto)
        #expect(removal(photo(passage(300, foundDaysAgo: 300))) == nil)
        #expect(removal(photo(passage(366, foundDaysAgo: 366))) == .photo)
        #expect(removal(photo(passage(366, foundDaysAgo: 364))) == nil, "the finding counts, where it came later")
        #expect(removal(photo(passage(30), passage(20))) == nil, "two vehicles in one frame")
        #expect(removal(photo(passage(40), passage(40, foundDaysAgo: 40))) == nil)
    }

    @Test func `lets nothing go by an age that a wrong clock gave`() {
        var lost = passage(20_000)
        lost.isAgeKnown = false
        #expect(removal(photo(lost)) == nil)
        #expect(!policy.removes(lost, at: now))
        #expect(policy.removes(passage(20_000), at: now))
    }

    @Test(arguments: [RetentionPolicy.Need.none, .compliantPhotos, .otherPhotos])
    func `never lets go what is not synchronized, still open, in review or in view`(need: RetentionPolicy.Need) {
        #expect(removal(photo(passage(4000, isSynced: false)), need) == nil)
        #expect(removal(photo(passage(4000, isPhotoSynced: false)), need) == nil)
        #expect(removal(photo(passage(4000, isOpen: true, foundDaysAgo: 4000)), need) == nil)
        #expect(removal(photo(passage(4000), isWatched: true), need) == nil)
        #expect(removal(photo(passage(4000), passage(4000, isOpen: true)), need) == nil)
        #expect(removal(photo(passage(0.9, isMatched: false)), need) == nil, "its counterpart may come")
        for kept in [passage(4000, isSynced: false), passage(4000, isOpen: true), passage(4000, isPhotoSynced: false)] {
            #expect(!policy.removes(kept, at: now))
        }
    }

    @Test func `keeps the only copy of a photo that is not sent, until its record is at the server`() {
        func goes(_ passage: KeptPassage, _ hasServer: Bool, _ sendsPhotos: Bool) -> Bool {
            let policy = RetentionPolicy(hasServer: hasServer, sendsPhotos: sendsPhotos)
            return policy.removal(of: photo(passage), need: .none, at: now) != nil
        }
        let (sent, waiting) = (
            passage(4000, isPhotoSynced: false), passage(4000, isSynced: false, isPhotoSynced: false)
        )
        #expect(goes(sent, true, false))
        #expect(!goes(sent, true, true), "it goes to the server first")
        #expect(!goes(waiting, true, false))
        #expect(!goes(waiting, true, true))
    }

    @Test func `lets go early first what nothing was found against, and then the rest`() {
        #expect(removal(photo(passage(1)), .compliantPhotos) == .compliantPhoto)
        #expect(removal(photo(passage(1, foundDaysAgo: 1)), .compliantPhotos) == nil)
        #expect(removal(photo(passage(1, foundDaysAgo: 1)), .otherPhotos) == .photo)
        #expect(removal(photo(passage(2, isMatched: false)), .compliantPhotos) == .compliantPhoto)
    }

    @Test func `is settled and had its counterpart, where nothing else is said`() {
        let kept = KeptPassage(since: now - .days(0.9))
        #expect(removal(photo(kept), .compliantPhotos) == .compliantPhoto)
        #expect(kept == passage(0.9) && KeptPhoto(keptAt: now).bytes == 0)
    }

    @Test func `lets a photo go that nothing shows, an hour after it was kept`() {
        #expect(removal(KeptPhoto(keptAt: now - .minutes(59))) == nil)
        #expect(removal(KeptPhoto(keptAt: now - .minutes(60))) == .superseded)
        #expect(removal(KeptPhoto(keptAt: now - .minutes(60), isWatched: true)) == nil)
    }

    @Test func `lets a passage go after a year, and no earlier than its violation`() {
        #expect(!policy.removes(passage(364), at: now))
        #expect(policy.removes(passage(365), at: now))
        #expect(!policy.removes(passage(365, foundDaysAgo: 364), at: now))
        #expect(policy.removes(KeptViolation(exitTime: now - .days(365)), at: now))
        #expect(!policy.removes(KeptViolation(exitTime: now - .days(364)), at: now))
        #expect(!policy.removes(KeptViolation(exitTime: now - .days(4000), isOpen: true), at: now))
        #expect(!policy.removes(KeptViolation(exitTime: now - .days(4000), isSynced: false), at: now))
    }

    @Test func `goes by age alone where there never was a server, and takes nothing early there`() {
        let alone = RetentionPolicy(hasServer: false, sendsPhotos: false)
        let unsent = passage(31, isSynced: false, isPhotoSynced: false)
        #expect(alone.removal(of: photo(unsent), at: now) == .compliantPhoto)
        #expect(alone.removes(passage(400, isSynced: false), at: now))
        let young = photo(passage(20, isSynced: false, isPhotoSynced: false))
        for need in [RetentionPolicy.Need.compliantPhotos, .otherPhotos] {
            #expect(alone.removal(of: young, need: need, at: now) == nil)
        }
    }

    @Test func `keeps its term, and its only copy of an offender, where photos are not sent`() {
        let frugal = RetentionPolicy(sendsPhotos: false)
        let compliant = photo(passage(10, isPhotoSynced: false))
        let offender = photo(passage(10, isPhotoSynced: false, foundDaysAgo: 10))
        #expect(frugal.removal(of: compliant, at: now) == nil)
        #expect(frugal.removal(of: compliant, need: .compliantPhotos, at: now) == .compliantPhoto)
        #expect(frugal.removal(of: offender, need: .otherPhotos, at: now) == nil)
        #expect(frugal.removal(of: photo(passage(31, isPhotoSynced: false)), at: now) == .compliantPhoto)
    }
}

@Suite("A round of removing", .timeLimit(.minutes(5)))
struct RetentionRoundTests {
    @Test func `goes through every kind, and takes nothing early from a disk with room`() {
        var round = RetentionRound()
        var steps: [RetentionRound.Step] = []
        while let step = round.next(isShort: false) {
            steps.append(step)
            round.finished(step, removed: 1, hasMore: false)
        }
        #expect(steps == [.folderPictures, .superseded, .photos, .violations, .passages, .leftovers])
        #expect(!round.removedEarly && round.exhausted == nil)
    }

    @Test func `takes early until there is room again, the compliant first`() {
        var round = RetentionRound()
        while let step = round.next(isShort: true), step != .earlyCompliantPhotos {
            round.finished(step, removed: 0, hasMore: false)
        }
        round.finished(.earlyCompliantPhotos, removed: 100, hasMore: true)
        #expect(round.next(isShort: false) == nil)
        #expect(round.removedEarly && round.exhausted == .earlyFolderPictures)
        #expect(round.next(isShort: true) == .earlyCompliantPhotos)
        round.finished(.earlyCompliantPhotos, removed: 3, hasMore: false)
        #expect(round.next(isShort: true) == .earlyOtherPhotos)
        #expect(round.exhausted == .earlyCompliantPhotos)
    }

    @Test func `ends, however much there is, and takes no other photos while compliant ones are left`() {
        var round = RetentionRound()
        var steps: [RetentionRound.Step] = []
        while let step = round.next(isShort: true) {
            steps.append(step)
            round.finished(step, removed: 100, hasMore: true)
        }
        #expect(steps.count == 400 * 7)
        #expect(steps.last == .earlyFolderPictures)
    }

    @Test func `takes nothing by its age while the clock can't be trusted`() {
        var round = RetentionRound(goesByAge: false)
        var steps: [RetentionRound.Step] = []
        while let step = round.next(isShort: true) {
            steps.append(step)
            round.finished(step, removed: 0, hasMore: false)
        }
        #expect(
            steps == [.superseded, .earlyFolderPictures, .earlyCompliantPhotos, .earlyOtherPhotos])
    }
}

@Suite("The room on a disk", .timeLimit(.minutes(5)))
struct DiskRoomPlanTests {
    private let now = Instant(milliseconds: 1_795_255_200_000)

    @Test(arguments: [(32, 2048, 768, 256), (1000, 2048, 768, 256), (1, 102, 40, 20)])
    func `is divided by its size`(gigabytes: Int, short: Int, small: Int, reserve: Int) {
        let plan = DiskRoomPlan(totalBytes: gigabytes << 30)
        #expect(plan.shortBytes >> 20 == short && plan.smallPhotoBytes >> 20 == small)
        #expect(plan.reserveBytes >> 20 == reserve)
        #expect(plan.enoughBytes >> 20 == short + short / 4)
        #expect(plan.photos(freeBytes: plan.smallPhotoBytes) == .whole)
        #expect(plan.photos(freeBytes: plan.smallPhotoBytes - 1) == .smaller)
        #expect(plan.photos(freeBytes: plan.reserveBytes) == .smaller)
        #expect(plan.photos(freeBytes: plan.reserveBytes - 1) == .none)
    }

    @Test func `passes through its stages in order`() {
        let plan = DiskRoomPlan(totalBytes: 32 << 30)
        var round = RetentionRound()
        func stage(_ megabytes: Int) -> DiskStage { DiskStage(freeBytes: megabytes << 20, plan: plan, after: round) }
        #expect(
            [3000, 2000, 700, 200].map(stage) == [.ample, .removesCompliantPhotos, .keepsSmallPhotos, .keepsNoPhotos])
        while let step = round.next(isShort: true), step != .earlyOtherPhotos {
            round.finished(step, removed: 0, hasMore: false)
        }
        #expect(stage(2000) == .removesOtherPhotos)
    }

    @Test func `is full on the day that what comes in says, whatever went meanwhile`() throws {
        let day = TimeSpan.days(1)
        let samples = [
            DiskSample(at: now, freeBytes: 2000, removedBytes: 0),
            DiskSample(at: now + day, freeBytes: 2000, removedBytes: 500),
        ]
        let forecast = try #require(DiskForecast(samples))
        #expect(forecast.bytesADay == 500)
        #expect(forecast.fullAt(roomBytes: 1500, now: now) == now + .days(3))
        let later = samples.map {
            DiskSample(at: $0.at, freeBytes: $0.freeBytes, removedBytes: $0.removedBytes + 70_000)
        }
        #expect(DiskForecast(later) == forecast, "what was removed before counts for nothing")
        #expect(DiskForecast(Array(samples.prefix(1))) == nil)
        #expect(DiskForecast([samples[0], DiskSample(at: now + day, freeBytes: 3000, removedBytes: 0)]) == nil)
    }
}
