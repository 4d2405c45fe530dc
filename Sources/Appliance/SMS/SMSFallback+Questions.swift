import Enforcement
import Logging
import Modem
import ParkAPI
import Storage

/// What the office asks by SMS: signed with the post's key, from whatever number, answered to the gateway's alone.
extension SMSFallback {
    /// Answers a text if it is a question of the office.
    func answer(_ message: InboundText) {
        guard let text = message.text, PostQuestion.isLike(text) else { return }
        func refuse(_ reason: String) {
            log.warning("a question by SMS is not answered", metadata: ["reason": "\(reason)"])
        }
        guard let key = store.textKey.read() else { return refuse("the post has no key for signed texts") }
        guard let gateway = gatewayNumber() else { return refuse("no gateway number is configured") }
        let question: PostQuestion
        do throws(SMSFormatError) { question = try PostQuestion.read(text, key: key) } catch {
            return refuse(error.description)
        }
        guard question.checkpostCode == settings.checkpostCode else { return refuse("it asks another post") }
        attempt("Answering a question by SMS") {
            let now = clock()
            var texts: [String] = []
            if case .texts(let numbers) = question.wish { texts = try store.messages.sentTexts(numbers: numbers) }
            let answer = PostAnswer(
                checkpostCode: settings.checkpostCode, number: question.number,
                facts: try facts(question.wish, texts: texts.count, at: now)
            ).text(key: key)
            switch try store.messages.take(
                question: question.number, answers: [answer] + texts, to: gateway.description, at: now)
            {
            case .taken: log.notice("a question by SMS is answered", metadata: ["texts": "\(texts.count)"])
            case .old: refuse("it, or one after it, was answered already")
            case .tooMany: refuse("\(MessageTable.mostQuestionsADay) were answered within a day")
            }
        }
    }

    private func facts(_ wish: PostQuestion.Wish, texts: Int, at now: Instant) throws -> [PostAnswer.Fact: Int64] {
        if case .texts = wish { return [.texts: Int64(texts)] }
        func minutes(since moment: Instant) -> Int64 { max(0, (now - moment).milliseconds / 60_000) }
        let (sync, alarms) = (try SyncFigures(store, at: now), try store.alarms.list())
        var facts: [PostAnswer.Fact: Int64] = [
            .waiting: Int64(sync.waiting), .refused: Int64(sync.refused),
            .alarms: Int64(alarms.count), .criticalAlarms: Int64(alarms.count { $0.severity == .critical }),
            .lastText: try store.messages.lastTextNumber(),
        ]
        if let seconds = sync.oldestWaitingSeconds { facts[.oldestMinutes] = max(0, Int64(seconds) / 60) }
        if case .offline(let since) = sight, since.milliseconds > 0 { facts[.offlineMinutes] = minutes(since: since) }
        if let free = DiskSpace.freeBytes(at: store.path) { facts[.freeMegabytes] = Int64(free / 1_000_000) }
        if let last = try store.passages.list(limit: 1).first {
            facts[.passageMinutes] = minutes(since: last.passage.recordedAt)
        }
        return facts
    }

    /// Hands an answer to the modem, if one waits.
    ///
    /// - Returns: whether the modem has one now.
    func sendAnswer(at now: Instant) -> Bool {
        sendOther { try store.messages.beginAnswer(at: now) }
    }
}
