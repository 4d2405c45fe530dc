extension EscalationPolicy {
    package struct Settings: Hashable, Sendable {
        /// How long the server has to be out of reach. A shorter outage sends nothing.
        package var outageBeforeSMS = TimeSpan.minutes(5)

        /// How old an entry has to be.
        package var minimumAge = TimeSpan.minutes(5)

        /// How old an entry may be: an older text comes too late for any match. It waits for the data link.
        package var maximumAge = TimeSpan.hours(24)

        /// Messages in any 60 minutes. Busy posts see about 90 vehicles an hour.
        package var hourlyLimit = 200

        /// Messages in any 24 hours.
        package var dailyLimit = 1000

        /// The part of the daily limit at which somebody should top up the SIM, 0…1.
        package var warningShare = 0.8

        /// Whether the server recognises a repeated text (ours does). If not, a message whose answer was lost is not repeated.
        package var serverRecognisesTexts = true

        /// Whether a text costs nothing, and whoever takes it knows it again: it is repeated until there is an answer.
        package var repeatsFreely = false

        /// So often may an answer to a text be lost.
        package var allowedLosses: Int { repeatsFreely ? .max : serverRecognisesTexts ? 1 : 0 }

        /// Whether a message takes several passages: then others go along with the one that is due, as many as fit.
        package var gathers = false

        /// How old a passage has to be to go along before it is due itself. Until then a ranger may be about to correct it.
        package var companionAge = TimeSpan.minutes(1)

        /// The wait before anything is sent after the modem went silent: it needs to recover.
        package var waitAfterSilence = TimeSpan.minutes(1)

        package init() {}
    }

    /// An entry of the sync queue, with what is known of its message.
    package struct Entry: Hashable, Sendable {
        package enum Standing: String, Hashable, Sendable, CaseIterable {
            case pending
            case inFlight
            case synced

            /// `failed` after five bad answers or none.
            case failedAfterAttempts

            /// `failed` since the server refuses this record. Never sent by SMS.
            case refused
        }

        package var id: Int64
        package var createdAt: Instant
        package var standing: Standing

        /// nil when nothing has been tried.
        package var message: MessageState?

        /// How often the modem's answer to this message was lost. At most two.
        package var lostAnswers: Int

        package init(
            id: Int64, createdAt: Instant, standing: Standing, message: MessageState? = nil, lostAnswers: Int = 0
        ) {
            self.id = id
            self.createdAt = createdAt
            self.standing = standing
            self.message = message
            self.lostAnswers = lostAnswers
        }
    }

    package enum Event: Hashable, Sendable {
        /// The box started. `sentAt`: when messages were handed over within the last 24 hours, in any order.
        case started(sentAt: [Instant])

        /// The server answered well again. Forgets the entries: most will sync now, and fresh ones come with ``waiting(_:)``.
        case linkUp

        /// The server is out of reach; `since` is its last good answer.
        case linkDown(since: Instant)

        /// What waits in the queue now, in the order in which it was recorded. Replaces what was known. A part from the front is enough, as long
        /// as entries that can't be sent any more are left out.
        case waiting([Entry])

        /// The modem is registered and takes messages, or not.
        case modem(ready: Bool)

        /// What became of the message that ``Action/send(id:)`` or ``Action/sendTogether(id:companions:)`` started. It holds for all
        /// that it carries.
        case settled(id: Int64, TextResult)

        /// The modem's answer to a text that counted as lost came after all: it went out.
        case answeredLate(text: UInt64, references: [UInt8])

        /// A test went out: whatever held the messages up is over.
        case resumed

        case clockTicked
    }

    package enum TextResult: Hashable, Sendable {
        /// `references`: what the network calls its parts, in order.
        case accepted(references: [UInt8] = [])

        /// Nothing went out. ``SMSRefusal`` says when the next try is due, and when somebody is told.
        case refused(SMSRefusal)

        /// The modem had the text and never answered. `text` is the modem's name for it, by which an answer may still come.
        case wentSilent(text: UInt64)

        /// The passage can't be written as an SMS. `wasHandedOver`: it was written down as sent before that was seen.
        case unwritable(reason: String, wasHandedOver: Bool)

        /// Nothing went out, since the entry needs no SMS any longer: the server has it, gets it now or refuses it.
        case overtaken
    }

    package enum Action: Hashable, Sendable {
        /// Write down what became of an entry's message, before going on: ``send(id:)`` may follow, and the box may stop in between.
        case record(id: Int64, MessageSettlement)

        /// Write down that the entry's message is being sent, give its text to the modem, and answer with ``Event/settled(id:_:)``.
        case send(id: Int64)

        /// The same, with as many of these entries in the same text as fit, in this order. What doesn't fit comes with the next look at
        /// the queue.
        case sendTogether(id: Int64, companions: [Int64])

        case alarm(Alarm)
        case clear(Alarm.Kind)
    }

    package enum Alarm: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case budgetLow
            case budgetSpent
            case refused
        }

        case budgetLow(sentInDay: Int, limit: Int)
        case budgetSpent(until: Instant)

        /// Nothing has gone out for as long as ``SMSRefusal/Rule/alarmAfter`` says.
        case refused(reason: String, needsPerson: Bool)
    }
}
