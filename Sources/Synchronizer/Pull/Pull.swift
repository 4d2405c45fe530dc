import Enforcement
import Foundation
import ParkAPI
import Storage

/// Fetches what the server knows, in an order in which what comes refers to what is here, and does what follows from it.
struct Pull {
    private let context: SyncContext
    private let surroundings: any SyncSurroundings
    private let reference: ReferenceData
    private let taken: TakenRecords
    private let reviews: ReviewExchange
    private let news: NewsWatch
    private let others: OtherPassages
    private let own: OwnPassages
    private let older: OlderPassages
    private let days: FetchedDays
    private let takenBack: TakenBack
    private let findings: Findings
    private let proposals: Proposals
    private let people: PeopleCheck
    private let comparison: Comparison

    init(
        _ context: SyncContext, reference: ReferenceData, reviews: ReviewExchange, taken: TakenRecords,
        surroundings: any SyncSurroundings
    ) {
        self.context = context
        self.surroundings = surroundings
        self.reference = reference
        self.taken = taken
        self.reviews = reviews
        news = NewsWatch(context)
        let pages = PageReader(context: context)
        others = OtherPassages(context: context, pages: pages, reference: reference)
        own = OwnPassages(context, pages: pages, others: others)
        older = OlderPassages(context: context, own: own)
        takenBack = TakenBack(context: context, pages: pages, others: others)
        findings = Findings(context: context, pages: pages, others: others)
        days = FetchedDays(context: context, others: others, findings: findings)
        proposals = Proposals(context: context, findings: findings)
        people = PeopleCheck(context: context)
        comparison = Comparison(context, taken: taken)
    }

    func restoreFirst() throws { try own.restoreFirst() }

    func run() throws {
        // A server that was restored from a backup says what was true then: first it gets what it lost, and nothing is told as complete before.
        // Others may have brought it to the number that it had: that says nothing of it.
        if let own = context.ownCheckpost, try !comparison.repairIfServerWentBack(own: own) {
            self.news.expire()
            return context.requestCycle()
        }
        let news = try news.ask(telling: reviews)
        try reference.follow(news?.reference)
        guard let segment = context.place?.segment.id, let post = context.ownCheckpost else {
            throw CycleEnd("The server has not told where \(context.server.checkpostCode) stands.")
        }
        let road = Road(segment: segment, own: post)
        if let news, self.news.isKnown(news) {
            try others.noteKnown(completeUpTo: reviews.take(news.reviews))
        } else {
            self.news.expire()
            if try readEverything(road, news) { self.news.note(news) }
        }
        try people.check()
        try comparison.sendFindingsAgainIfDue()
        try proposals.propose()
        if try !comparison.compareIfDue(own: post) { context.requestCycle() }
        try older.pull(own: post)
        try days.pull(road)
    }

    /// - Returns: whether all that the server has is here now: one cycle takes no more than so many pages.
    private func readEverything(_ road: Road, _ news: NewsAnswer?) throws -> Bool {
        let before = context.counts.pulled
        // Before the passages: what waited then is not passed over by what came since.
        let complete = if let news { try reviews.take(news.reviews) } else { try reviews.pull() }
        let hasOthers = try others.pull(road)
        let hasChanges = try takenBack.pullChanges(own: road.own)
        let hasWithdrawals = try takenBack.pullOwnWithdrawals(own: road.own)
        let hasDeletions = try takenBack.pullDeletions(own: road.own)
        let hasOwn = try own.pull(own: road.own)
        // Only now is it known which of this post's vehicles are out.
        if hasOthers, hasOwn { try others.noteKnown(completeUpTo: complete) }
        let hasViolations = try findings.pullViolations(road)
        let hasFurther = try FurtherRoads(context: context).pull(findings)
        let hasOutcomes = try findings.pullOutcomes(road)
        try context.store.reconciliation.withdrawUnconfirmedViolations(at: context.clock.now)
        let hasAlerts = try findings.pullAlerts(road)
        try taken.forget()
        if context.counts.pulled > before { try surroundings.passagesArrived(at: context.clock.now) }
        return [
            hasOthers, hasChanges, hasWithdrawals, hasDeletions, hasOwn, hasViolations, hasOutcomes, hasFurther,
            hasAlerts,
        ].allSatisfy { $0 }
    }

    /// Everything is asked for with the next cycle, whatever the server's number says.
    func expire() { news.expire() }
}
