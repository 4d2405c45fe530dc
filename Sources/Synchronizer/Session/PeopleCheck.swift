import Enforcement
import Foundation
import ParkAPI
import Storage

/// Whether the people who have signed in at this box may still do so.
///
/// A password is asked for at the server when it is typed; between two passwords, and for those who use a PIN, the box's own account
/// asks. Without an answer the last word counts, for as long as the console allows.
struct PeopleCheck {
    private static let interval = TimeSpan.minutes(1)

    let context: SyncContext

    func check() throws {
        guard let dialect = context.dialect, dialect.schema == .ours, dialect.can(.accounts) != false else { return }
        let names = try context.store.accounts.vouchedUsers(
            askedBefore: context.clock.now - Self.interval, limit: ContractLimits.accountsAQuestion)
        guard !names.isEmpty else { return }
        // An account that is switched off learns nothing, and would close everybody.
        if let problem = try context.accountProblem() { throw CycleEnd(problem) }
        let emails = names.map { AccountName.email($0, besides: context.server.email).lowercased() }
        let (verdict, answer) = try context.askForVerdict(FunctionCall(.accountsOpen, AccountsQuestion(names: emails)))
        switch verdict {
        case .accepted: break
        case .refused:
            context.dialect?.learn(.accounts, false)
            return
        default: throw CycleEnd("Asking about accounts: \(verdict.reason)")
        }
        guard let open = answer?.object([String].self) else {
            throw CycleEnd("The server's word on accounts makes no sense.")
        }
        let isOpen = Set(open.map { $0.lowercased() })
        for (name, email) in zip(names, emails) {
            if isOpen.contains(email) {
                try context.store.accounts.vouched(user: name, at: context.clock.now)
            } else {
                try context.store.accounts.closed(user: name, at: context.clock.now)
            }
        }
    }
}
