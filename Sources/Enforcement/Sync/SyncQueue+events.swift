/// What the queue is told, what it has done, and what can be set.
extension SyncQueue {
    package enum Event: Sendable, Equatable {
        /// A cycle begins, or a failure ended one: nobody sends what was under way.
        case began
        /// What waits, in order: `pending` entries, the first of them first.
        case offered([QueueEntry])
        /// What came of the entries under way. `confirmed` are those that the server has for certain; of a single one
        /// that was accepted that is not asked.
        case answered(Verdict, confirmed: Set<Int64> = [])
        /// Whether the account may send: nil when nothing is wrong with it.
        case accountChecked(problem: String?)
        case signedIn
        case signInRefused(String)
        /// The sign-in brought no answer, or one that says nothing about the account.
        case signInFailed(String)
        /// The server answered something else well, after an outage or at the start.
        case answeredWell
        /// A person asks for it, or the settings changed: no pause holds any longer.
        case askedByHand
    }

    package enum Action: Sendable, Equatable {
        /// Writes these to the disk, before anything else happens.
        case write([QueueEntry])
        case send([QueueEntry])
        /// Puts everything that the disk shows as under way back in line.
        case recover
        case signIn
        /// Finds out whether a 403 meant the account.
        case checkAccount
        /// Puts what failed, and isn't refused, back in line with no attempts counted, except these.
        case revive(except: Set<Int64>)
        /// Offer again.
        case next
        /// Nothing can be sent before this moment.
        case wait(until: Instant)
        /// The link is down: the cycle ends.
        case endCycle(String)
        case raiseAlarm(String)
        case clearAlarm
    }

    package struct Settings: Sendable, Equatable {
        package var maximumAttempts = 5
        package var backoff = Backoff(firstDelay: .seconds(2), longestDelay: .seconds(60))
        /// How many passages travel in one request; 1 sends one by one.
        package var batchSize = 1
        /// How long a refused sign-in or account pauses the queue before it is tried again by itself: at first, doubled each
        /// time, and at most.
        package var firstAccountPause = TimeSpan.seconds(15)
        package var accountPause = TimeSpan.minutes(5)
        /// So many refusals in a row mean that the server is not well, and not so many records.
        package var refusalsInARow = 10
        /// How long an entry that failed again after it was revived waits; doubled each time, up to an hour.
        package var firstRevival = TimeSpan.minutes(5)
        package init() {}
    }
}
