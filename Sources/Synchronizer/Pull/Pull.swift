import Enforcement
import Foundation
import ParkAPI
import Storage

/// Fetches what the server knows, in an order in which what comes refers to what is here, and does what follows from it.
struct Pull {
    private let context: SyncContext
    private let surroundings: any SyncSurroundings
    private let taken: TakenRecords
    private let reviews: ReviewExchange
    private let others: OtherPassages
    private let own: OwnPassages
    private let older: OlderPassages
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
        self.taken = taken
        self.reviews = reviews
        let pages = PageReader(context: context)
        others = OtherPassages(context: context, pages: pages, reference: reference)
        own = OwnPassages(context, pages: pages, others: others)
        older = OlderPassages(context: context, own: own)
        takenBack = TakenBack(context: context, pages: pages, others: others)
        findings = Findings(context: context, pages: pages, others: others)
        proposals = Proposals(context: context, findings: findings)
        people = PeopleCheck(context: context)
        comparison = Comparison(context, taken: taken)
    }

    func restoreFirst() throws { try own.restoreFirst() }

    func run() throws {
        guard let segment = context.place?.segment.id, let post = context.ownCheckpost else {
            throw CycleEnd("The server has not told where \(context.server.checkpostCode) stands.")
        }
        let road = Road(segment: segment, own: post)
        // A server that was restored from a backup says what was true then: first it gets what it lost.
        guard try comparison.repairIfServerWentBack(own: post) else { return context.requestCycle() }
        let before = context.counts.pulled
        // Before the passages: what waited then is not passed over by what came since.
        let complete = try reviews.pull()
        let hasOthers = try others.pull(road)
        try takenBack.pullChanges(own: post)
        try takenBack.pullOwnWithdrawals(own: post)
        try takenBack.pullDeletions(own: post)
        let hasOwn = try own.pull(own: post)
        // Only now is it known which of this post's vehicles are out.
        if hasOthers, hasOwn { try others.noteKnown(completeUpTo: complete) }
        try findings.pullViolations(road)
        try findings.pullOutcomes(road)
        try context.store.reconciliation.withdrawUnconfirmedViolations(at: context.clock.now)
        try findings.pullAlerts(road)
        try taken.forget()
        if context.counts.pulled > before { try surroundings.passagesArrived(at: context.clock.now) }
        try people.check()
        try comparison.sendFindingsAgainIfDue()
        try proposals.propose()
        if try !comparison.compareIfDue(own: post) { context.requestCycle() }
        try older.pull(own: post)
    }
}
