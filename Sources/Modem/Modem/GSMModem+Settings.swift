extension GSMModem {
    package struct Settings: Hashable, Sendable {
        /// 4 to 8 digits; nil when the SIM wants none.
        package var pin: String?

        /// nil: the SIM's own.
        package var serviceCentre: PhoneNumber?

        package var validity: ValidityPeriod? = .day
        package var wantsReports = true

        /// Whether stored messages are read and deleted. Whoever only looks at the modem leaves them alone.
        package var takesMessages = true

        /// Whether texts go over another operator's network.
        package var allowsRoaming = true

        /// Whether somebody performs ``GSMModem/Action/cyclePower``.
        package var canCyclePower = false

        /// What is dialled now and then to hear what the SIM has left (USSD, 3GPP TS 22.030); nil: nothing is.
        package var balanceCode: String?
        package var timing = Timing()

        package init() {}

        var hasUsablePIN: Bool {
            guard let pin else { return false }
            return (4...8).contains(pin.utf8.count) && pin.allSatisfy(\.isASCIIDigit)
        }
    }

    /// Waits, as field experience with modems sets them. Tests shorten them.
    package struct Timing: Hashable, Sendable {
        package var answer = Duration.seconds(8)
        package var slowAnswer = Duration.seconds(30)
        package var grace = Duration.seconds(2)

        /// Without a byte for so long, a modem has said what it had to say about an escape, or before an answer.
        package var quiet = Duration.milliseconds(300)
        package var prompt = Duration.seconds(10)

        /// Networks take up to a minute to accept a message; 3GPP's own timers end after two.
        package var submit = Duration.seconds(120)

        /// Some modems leave out the OK after the reference of an accepted message.
        package var submitGrace = Duration.seconds(10)

        /// Late answers to a command that was given up are over after this.
        package var settle = Duration.seconds(3)
        package var simRetry = Duration.seconds(2)
        package var simRecheck = Duration.seconds(60)
        package var registrationPoll = Duration.seconds(5)

        /// Without a network for so long: an alarm, and a restart of the radio.
        package var registrationAlarm = Duration.seconds(120)
        package var registrationPatience = Duration.seconds(900)
        package var radioRestart = Duration.seconds(20)
        package var reopen = Duration.seconds(5)
        package var portAlarm = Duration.seconds(60)

        /// The first and the longest wait on the last rung.
        package var lastRung = Duration.seconds(60)
        package var longestLastRung = Duration.seconds(900)
        package var watchInterval = Duration.seconds(60)
        package var listInterval = Duration.seconds(600)

        /// The SIM's balance is asked for so soon after the modem is ready, and so often.
        package var firstBalance = Duration.seconds(120)
        package var balanceInterval = Duration.seconds(86_400)
        package var goodTimeToForget = Duration.seconds(600)

        /// What a restarting modem says within this long is about one restart.
        package var oneRestart = Duration.seconds(30)

        package init() {}
    }

    /// A text on its way, part by part.
    struct Sending: Hashable, Sendable {
        var id: UInt64
        var number: PhoneNumber
        var text: String
        var parts: [SMSSubmit.Part]

        /// One for each part that was accepted; nil when the modem gave none.
        var references: [UInt8?] = []
    }
}

// Printed settings must not show the PIN.
extension GSMModem.Settings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "settings " + (pin == nil ? "without a PIN" : "with a PIN") }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["hasPIN": pin != nil]) }
}
