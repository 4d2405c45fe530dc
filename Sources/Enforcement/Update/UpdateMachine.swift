/// An update of the box's program, step by step.
///
/// Whoever performs it writes the state down, durably, before the actions that `handle` returns, and each action can be repeated: what a power
/// cut interrupts is taken up from the state on the disk. At every moment one program is chosen, and it is whole: the installed one, or the
/// one that lies beside it.
///
/// | step | chosen | what a start of the service does |
/// | --- | --- | --- |
/// | `preparing` | installed | nothing while somebody prepares; otherwise the update is given up |
/// | `trial` | beside | counts; after ``mostStarts`` the box goes back |
/// | `confirmed` | beside, until the package is installed | nothing |
/// | `returning` | installed | brings the database back to what the installed program can read |
/// | `returned` | installed | nothing |
package struct UpdateMachine: Codable, Equatable, Sendable {
    package enum Step: String, Codable, Sendable {
        case preparing, trial, confirmed, returning, returned
    }

    package enum Program: String, Codable, Sendable {
        case installed
        /// Unpacked beside the installed one.
        case beside
    }

    package enum Event: Equatable, Sendable {
        case begin
        /// Unpacked, tried on a copy of the database, which is kept as the backup.
        case prepared(UpdateBaseline, backup: String)
        case notPrepared(String)
        /// The service is about to start.
        /// - `installed`: the version that is installed now.
        /// - `isWorkedOn`: whether the process that works on the update lives.
        case starting(installed: String, isWorkedOn: Bool)
        /// The watcher begins, perhaps after another one was ended.
        case resume
        case well
        case unwell(String)
        /// The package is installed: the installed program is the one that was tried.
        case installed
        case notInstalled(String)
        /// The installed program can read the database. `isStarting`: found so by a start of the service.
        case restored(isStarting: Bool)
    }

    package enum Action: Equatable, Sendable {
        /// Unpack, back up, test.
        case prepare
        case choose(Program)
        case restartService
        case stopService
        case startService
        /// Have the watcher started, which a closed terminal doesn't end: it resumes.
        case watch
        case installPackage
        /// Without a database of the newer program nothing is to be done. `fromBackup` false: begin with an empty one.
        case restoreDatabase(fromBackup: Bool)
        case finish(UpdateEnding)
    }

    /// A program that was started so often without being found well for ten minutes is not started again.
    package static let mostStarts = 4

    /// A backup that can't be put back, or takes longer than a start may, doesn't keep the box from recording: after so many tries it
    /// begins without, and what the database has is brought home all the same.
    package static let mostRestores = 2

    package private(set) var step = Step.preparing

    /// Debian's numbers.
    package let version: String
    package let former: String

    /// By the wall clock.
    package let begunAt: Instant

    /// Of the database, from before the switch; empty before it was made.
    package private(set) var backup = ""
    package private(set) var baseline = UpdateBaseline()

    /// How often the service was started with the program on trial.
    package private(set) var starts = 0
    package private(set) var restores = 0

    /// Why it goes back; why its package could not be installed yet.
    package private(set) var reason: String?

    /// How long the trial is.
    package let term: TimeSpan

    package init(
        version: String, former: String, at now: Instant, term: TimeSpan = UpdateTrial.term
    ) {
        (self.version, self.former, begunAt, self.term) = (version, former, now, term)
    }

    /// - Returns: what is to be done, in this order, once this state is on the disk.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .begin: return step == .preparing ? [.prepare] : []
        case .prepared(let baseline, let backup):
            guard step == .preparing else { return [] }
            (self.baseline, self.backup) = (baseline, backup)
            step = .trial
            return [.choose(.beside), .watch]
        case .notPrepared(let reason): return step == .preparing ? [.finish(ending(.refused, reason))] : []
        case .starting(let installed, let isWorkedOn): return starting(installed, isWorkedOn)
        case .resume: return resumed()
        case .well:
            guard step == .trial else { return [] }
            step = .confirmed
            return [.installPackage]
        case .unwell(let reason):
            guard step == .trial else { return [] }
            goBack(reason)
            return resumed()
        case .installed:
            guard step == .confirmed else { return [] }
            return [.choose(.installed), .finish(ending(.updated, nil))]
        case .notInstalled(let reason):
            guard step == .confirmed else { return [] }
            self.reason = reason
            return []
        case .restored(let isStarting):
            guard step == .returning else { return [] }
            step = .returned
            return isStarting ? [] : resumed()
        }
    }

    private mutating func starting(_ installed: String, _ isWorkedOn: Bool) -> [Action] {
        // Somebody installed a package by hand meanwhile: that one is meant.
        if installed != former, !(step == .confirmed && installed == version) {
            let kind: UpdateEnding.Kind = installed == version && step == .trial ? .updated : .interrupted
            return [
                .choose(.installed),
                .finish(ending(kind, kind == .updated ? nil : "\(installed) was installed by hand")),
            ]
        }
        switch step {
        case .preparing:
            return isWorkedOn ? [] : [.choose(.installed), .finish(ending(.interrupted, nil))]
        case .trial:
            starts += 1
            guard starts > Self.mostStarts else { return [.choose(.beside)] }
            goBack("it was started \(Self.mostStarts) times, and never ran well for \(Wording.span(term))")
            return [.choose(.installed), restore()]
        case .confirmed: return [.choose(installed == version ? .installed : .beside)]
        case .returning: return [.choose(.installed), restore()]
        case .returned: return [.choose(.installed)]
        }
    }

    private mutating func resumed() -> [Action] {
        switch step {
        case .preparing: return [.choose(.installed), .finish(ending(.interrupted, nil))]
        case .trial: return starts == 0 ? [.choose(.beside), .restartService] : []
        case .confirmed: return [.installPackage]
        case .returning: return [.stopService, .choose(.installed), restore()]
        case .returned: return [.startService, .finish(ending(.wentBack, reason))]
        }
    }

    private mutating func goBack(_ reason: String) {
        step = .returning
        self.reason = reason
    }

    private mutating func restore() -> Action {
        restores += 1
        return .restoreDatabase(fromBackup: restores <= Self.mostRestores)
    }

    private func ending(_ kind: UpdateEnding.Kind, _ reason: String?) -> UpdateEnding {
        UpdateEnding(kind: kind, version: version, former: former, begunAt: begunAt, reason: reason)
    }
}

/// How an update ended.
package struct UpdateEnding: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case updated
        case wentBack = "went_back"
        /// Found unfit before anything was switched.
        case refused
        /// By a power cut before anything was switched.
        case interrupted
    }

    package let kind: Kind
    package let version: String
    package let former: String
    package let begunAt: Instant
    package let reason: String?

    package init(kind: Kind, version: String, former: String, begunAt: Instant, reason: String?) {
        (self.kind, self.version, self.former) = (kind, version, former)
        (self.begunAt, self.reason) = (begunAt, reason)
    }

    /// One line for a person.
    package var text: String {
        let why = reason.map { ": \($0)" } ?? ""
        return switch kind {
        case .updated: "Updated from \(former) to \(version)."
        case .wentBack: "\(version) was tried and is not well\(why). \(former) runs again."
        case .refused: "\(version) was not switched to\(why). \(former) runs on."
        case .interrupted:
            "The update to \(version) was interrupted\(reason.map { ": \($0)." } ?? ". \(former) runs on.")"
        }
    }
}
