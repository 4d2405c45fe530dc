import Enforcement
import Foundation
import MachineClock
import Storage

/// Performs what ``UpdateMachine`` says, each action so that it can be repeated.
package struct UpdateWork: Sendable {
    private let places: UpdatePlaces
    private let place: BoxPlace
    private let file: UpdateFile
    private let tools: UpdateTools

    /// Told to whoever looks on.
    private let say: @Sendable (String) -> Void

    /// How often the health of a program on trial is looked at, and a package that could not be installed tried again.
    private static let lookInterval = TimeSpan.seconds(10)
    private static let installInterval = TimeSpan.minutes(1)

    package init(_ places: UpdatePlaces, place: BoxPlace, say: @escaping @Sendable (String) -> Void) {
        (self.places, self.place, self.say) = (places, place, say)
        file = UpdateFile(places: places)
        tools = UpdateTools(places: places)
    }

    // MARK: by hand

    /// Where a package comes from.
    package enum Source: Sendable {
        /// A package, or a folder with some; nil for the stick for backups.
        case place(String?)

        /// What the park's server offers to this post.
        case server
    }

    /// Takes a package, makes its program ready, and has it tried.
    ///
    /// - Parameters:
    ///   - term: how long the trial is.
    /// - Throws: `AdvisedError` or `StoreError` when the box stays with what runs.
    package func update(from source: Source, term: TimeSpan) throws {
        let configuration = try place.configuration()
        guard let key = configuration.updateKey else {
            throw AdvisedError(
                "The box doesn't know whose packages to trust.",
                hint: "Set public_key in [update] of the configuration: the key of whoever makes the packages.")
        }
        guard Presence.of(places.root + "/run/systemd/system") == .there else {
            throw AdvisedError(
                "systemd does not run here, and nobody would see to the trial.",
                hint: "Install the package with apt instead.")
        }
        try places.make()
        if let machine = file.read(), machine.step != .preparing { throw UpdateFile.underWay(machine) }
        let download = UpdateDownload(places, say: say)
        let package =
            switch source {
            case .place(let name): try UpdateSource(tools: tools).find(name, configuration)
            case .server: try download.fetch(configuration, signedBy: key)
            }
        let lock = try UpdateLock(places.workLock, waits: false)
        defer { withExtendedLifetime(lock) {} }
        // Somebody began and was ended: nothing was switched.
        if file.read() != nil { try perform(file.handle(.resume)) }
        let taken = try UpdatePackage.take(package, key: key, into: places, tools: tools)
        let former = try tools.installedVersion()
        guard tools.isNewer(taken.version, than: former) else {
            unlink(places.package)
            throw AdvisedError(
                "\(taken.version) is not newer than \(former), which is installed.",
                hint:
                    "An older one may not be able to read the database: sudo apt install ./FILE.deb, and a backup of then."
            )
        }
        say("\(package): signed, version \(taken.version); \(former) runs")
        try file.begin(UpdateMachine(version: taken.version, former: former, at: BoxClock.now, term: term))
        do {
            let ready = try UpdatePreparation(
                places: places, tools: tools, place: place, package: taken, say: say
            ).run(at: BoxClock.now)
            let step = try file.handle(.prepared(ready.baseline, backup: ready.backup))
            try perform(step)
            // Not before: whoever frees space and comes again has it still.
            if case .server = source { download.forget() }
        } catch {
            try perform(file.handle(.notPrepared((error as? AdvisedError)?.message ?? "\(error)")))
            throw error
        }
    }

    /// Ends a trial: the box goes back.
    package func back() throws {
        guard let machine = file.read(), machine.step == .trial else {
            throw AdvisedError(
                "No version is on trial.",
                hint:
                    "To install an older one: sudo apt install ./FILE.deb, then checkpost restore with a backup of its time."
            )
        }
        _ = try file.handle(.unwell("somebody wanted the former one back"))
        try tools.startWatcher()
    }

    /// How far it is, in words.
    package var status: String { Self.status(places) ?? "No update was made yet." }

    /// Nil when there was none.
    static func status(_ places: UpdatePlaces) -> String? {
        let file = UpdateFile(places: places)
        guard let machine = file.read() else {
            return file.lastEnding.map { "\($0.text) (begun \($0.begunAt.nepalText))" }
        }
        let trouble = machine.reason.map { " \(String(sentence: $0))" } ?? ""
        let starts =
            machine.step == .trial ? ", started \(machine.starts == 1 ? "once" : "\(machine.starts) times")" : ""
        return "Update from \(machine.former) to \(machine.version), begun \(machine.begunAt.nepalText): "
            + "\(machine.step.words)\(starts).\(trouble)"
    }

    /// For `status` and the technician's page; nil when no update is under way.
    static var underWay: StatusReport.Problem? {
        guard let places = UpdatePlaces.ownPath.flatMap(UpdatePlaces.init(program:)),
            UpdateFile(places: places).read() != nil, let text = status(places)
        else { return nil }
        return StatusReport.Problem(
            name: "update", severity: "notice", message: text,
            hint: "It ends by itself; checkpost update --back ends a trial at once.")
    }

    /// How an update ended; waits for it.
    package func ending() -> UpdateEnding? {
        while file.read() != nil { Thread.sleep(forTimeInterval: 0.5) }
        return file.lastEnding
    }

    // MARK: by the system

    /// Called as root before each start of the service: which program starts. It never keeps the service from starting.
    package func starting() throws {
        guard let machine = file.read() else {
            // Left by a power cut just after the end of an update.
            if Presence.of(places.state) == .absent, let lock = try? UpdateLock(places.workLock, waits: false) {
                withExtendedLifetime(lock) { _ = unlink(places.package) }
            }
            return
        }
        var isWorkedOn = isWorkedOn
        // Whoever brings the database back is not disturbed; when it takes too long, the start is tried again.
        let deadline = ContinuousClock.now + .seconds(90)
        while machine.step == .returning, isWorkedOn, file.read()?.step == .returning, ContinuousClock.now < deadline {
            Thread.sleep(forTimeInterval: 0.2)
            isWorkedOn = self.isWorkedOn
        }
        let installed = (try? tools.installedVersion()) ?? machine.former
        try perform(file.handle(.starting(installed: installed, isWorkedOn: isWorkedOn)), isStarting: true)
        if file.read() != nil { try? tools.startWatcher() }
    }

    private var isWorkedOn: Bool {
        do {
            let lock = try UpdateLock(places.workLock, waits: false)
            withExtendedLifetime(lock) {}
            return false
        } catch {
            return true
        }
    }

    /// Watches a trial to its end, and finishes what was begun. Returns when no update is under way.
    package func watch() throws {
        let lock = try UpdateLock(places.workLock, waits: true)
        defer { withExtendedLifetime(lock) {} }
        var trial: UpdateTrial?
        if let machine = file.read() { say(machine.step.words) }
        try perform(file.handle(.resume))
        while let machine = file.read() {
            let health = UpdateHealth(places: places, tools: tools, place: place)
            let now = MachineClock.uptime
            switch machine.step {
            case .trial:
                if trial == nil { trial = UpdateTrial(machine.baseline, term: machine.term, at: now) }
                let verdict = trial?.handle(health.sample(of: machine), at: now)
                switch verdict {
                case .well: try perform(file.handle(.well))
                case .unwell(let reason): try perform(file.handle(.unwell(reason)))
                case nil: break
                }
            case .confirmed:
                Self.rest(min(Self.installInterval, machine.term))
                try perform(file.handle(.resume))
            case .preparing, .returning, .returned: try perform(file.handle(.resume))
            }
            if file.read()?.step == .trial { Self.rest(min(Self.lookInterval, .seconds(machine.term.seconds / 10))) }
        }
    }

    private static func rest(_ span: TimeSpan) { Thread.sleep(forTimeInterval: span.seconds) }

    // MARK: actions

    private func perform(
        _ step: (machine: UpdateMachine, actions: [UpdateMachine.Action])?, isStarting: Bool = false
    ) throws {
        guard let step else { return }
        for action in step.actions { try perform(action, step.machine, isStarting) }
    }

    private func perform(_ action: UpdateMachine.Action, _ machine: UpdateMachine, _ isStarting: Bool) throws {
        switch action {
        // Whoever took the package does it.
        case .prepare: break
        case .choose(let program): try places.choose(program, version: machine.version)
        case .restartService: try tools.restartService()
        case .stopService: try tools.stopService()
        case .startService: try tools.startService()
        case .watch: try tools.startWatcher()
        case .installPackage:
            do {
                // What a power cut interrupted may be done: its package is not needed for that.
                if !tools.isInstalled(machine.version) { try tools.install(places.package) }
                say("installed")
                try perform(file.handle(.installed))
            } catch let error as AdvisedError {
                say(error.description)
                try perform(file.handle(.notInstalled(error.description)))
            }
        case .restoreDatabase(let fromBackup):
            try ReturnedDatabase(place: place).restore(from: fromBackup ? machine.backup : nil, of: machine)
            try perform(file.handle(.restored(isStarting: isStarting)), isStarting: isStarting)
        case .finish(let ending): try finish(ending, patience: isStarting ? .seconds(0) : Self.tellingPatience)
        }
    }

    /// What runs is not touched: a program that was tried is removed when the next one is unpacked, since it may run still.
    private func finish(_ ending: UpdateEnding, patience: TimeSpan) throws {
        try? FileManager.default.removeItem(atPath: places.rehearsal)
        if ending.kind == .interrupted || ending.kind == .refused {
            try? FileManager.default.removeItem(atPath: places.tree(of: ending.version))
            try? FileManager.default.removeItem(atPath: places.tree(of: ending.version) + ".part")
        }
        // Before it is over: a power cut between the two has it told once more, and not never.
        tell(ending, patience: patience)
        try file.end(ending)
        // Not before it is over: an installation that is taken up again needs it.
        unlink(places.package)
        say(ending.text)
    }

    /// The box begins at this moment, and has the database to itself now and then. A start that waits for this does not wait longer.
    private static let tellingPatience = TimeSpan.seconds(30)

    /// On the page and in `status`.
    private func tell(_ ending: UpdateEnding, patience: TimeSpan) {
        guard [.updated, .wentBack].contains(ending.kind) else { return }
        let deadline = MachineClock.uptime + patience
        while true {
            do { return try record(ending) } catch {
                let isLasting = (error as? StoreError).map { $0.isFileDamaged || $0.kind == .newerVersion } ?? false
                guard !isLasting, MachineClock.uptime < deadline else {
                    return say("The box's page can't say so: \(error)")
                }
                Self.rest(.milliseconds(500))
            }
        }
    }

    private func record(_ ending: UpdateEnding) throws {
        let path = try place.databasePath()
        guard Presence.of(path) == .there else { return }
        let store = try Store(path: path)
        defer { try? store.close() }
        if ending.kind == .updated {
            try store.alarms.clear("update.back", at: BoxClock.now)
        } else {
            try store.alarms.raise(
                "update.back", .warning, ending.text,
                hint:
                    "Nothing recorded is lost. Tell whoever made the package; the next update that succeeds clears this.",
                at: BoxClock.now)
        }
    }
}
