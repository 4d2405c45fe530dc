/// What became of the SMS of one passage. The raw value is what the log of messages stores.
///
/// ```
/// queued -> sending -> sent -> delivered | failed
///             |  \-> queued      the modem or the network refused it: nothing went out
///             \----> ambiguous   the modem went silent after it had the text: it may have gone out
/// ambiguous -> sending           once, when the server recognises a repeated text
/// ```
package enum MessageState: String, Codable, Sendable, CaseIterable {
    /// Chosen, and not with the modem.
    case queued

    /// Written down before the modem gets the text. Found at start-up it means that the box stopped in between:
    /// the same as ``ambiguous``.
    case sending

    /// The network took it.
    case sent

    /// The network reported that the gateway's number received it.
    case delivered

    /// It never will be delivered, says the network, or it can't be written. The passage still waits for the data link.
    case failed

    /// Nobody knows whether it went out.
    case ambiguous

    /// What a modem and a network can say about a message.
    package enum Event: Hashable, Sendable {
        case handedOver
        case accepted
        case refused
        case wentSilent
        case reportedDelivered
        case reportedUndeliverable

        /// The passage can't be written as an SMS at all (``SMSFormatError``).
        case foundUnwritable

        /// The box started and found this state written down.
        case boxRestarted
    }

    /// The state after `event`; unchanged when the event says nothing new. A late answer to a message that counted as
    /// ambiguous settles it.
    package func after(_ event: Event) -> MessageState {
        switch (self, event) {
        case (.queued, .handedOver), (.ambiguous, .handedOver): .sending
        case (.sending, .accepted), (.ambiguous, .accepted): .sent
        case (.sending, .refused): .queued
        case (.sending, .wentSilent), (.sending, .boxRestarted): .ambiguous
        case (.sending, .reportedDelivered), (.ambiguous, .reportedDelivered), (.sent, .reportedDelivered):
            .delivered
        case (.sent, .reportedUndeliverable), (.queued, .foundUnwritable), (.sending, .foundUnwritable): .failed
        default: self
        }
    }

    /// Whether the network took it: the queue entry's `sms_sent`.
    package var isTold: Bool { self == .sent || self == .delivered }

    /// Whether nothing more is to be sent for it.
    package var isFinished: Bool { isTold || self == .failed }
}
