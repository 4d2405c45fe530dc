import ArgumentParser

/// A command that only reads, and that the box answers for members of its group.
protocol AnsweredCommand: ParsableCommand {
    var store: StoreOptions { get }

    /// Whether this use of it only reads.
    var onlyReads: Bool { get }
}

extension AnsweredCommand {
    var onlyReads: Bool { true }

    /// Whether it is about the box's own records, and reads only.
    var isAnswered: Bool { store.config == nil && store.database == nil && onlyReads }
}

extension StatusCommand: AnsweredCommand {}
extension PassagesListCommand: AnsweredCommand {}
extension ViolationsCommand: AnsweredCommand {}
extension OverstaysListCommand: AnsweredCommand {}
extension ReviewsListCommand: AnsweredCommand {}
extension LookAlikesListCommand: AnsweredCommand {}
extension ExemptListCommand: AnsweredCommand {}
extension QueueListCommand: AnsweredCommand {}
extension QueueShowCommand: AnsweredCommand {}
extension SMSStatusCommand: AnsweredCommand {}
extension SMSLogCommand: AnsweredCommand {}
extension SMSInboxCommand: AnsweredCommand {}
extension SelfTestCommand: AnsweredCommand {
    var onlyReads: Bool { !alarms && !direct && !picture }
}
