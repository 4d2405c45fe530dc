import Enforcement
import Foundation
import ParkAPI
import Storage
import Synchronizer

/// What the park's server offers to this post, and how it comes to this machine: in parts, each kept as it comes, so that a link that
/// breaks costs no more than the part under way.
///
/// It is used by one thread.
final class UpdateDownload {
    private let places: UpdatePlaces
    private let tools: UpdateTools
    private let say: (String) -> Void

    /// One at a time, until the package is taken. Apart from the lock of the work itself: a service that starts meanwhile isn't held up.
    private var lock: UpdateLock?

    /// A part takes less than the patience below at 9,600 baud.
    private static let partBytes = 256 << 10
    private static let patience = TimeSpan.minutes(5)

    /// A link that breaks is tried again so often for one part.
    private static let attempts = 5
    private static let pauseSeconds = 5.0

    init(_ places: UpdatePlaces, say: @escaping (String) -> Void) {
        (self.places, self.say) = (places, say)
        tools = UpdateTools(places: places)
    }

    private var folder: String { places.folder + "/offered" }

    /// Fetches the newest package that is offered and fits, with its signature beside it.
    ///
    /// - Returns: its path.
    /// - Throws: `AdvisedError` when there is none, or it can't be fetched now. What came of it stays, and is gone on with.
    func fetch(_ configuration: Configuration, signedBy key: UpdateSignature) throws -> String {
        guard let server = configuration.server else {
            throw AdvisedError(
                "No server is configured that could offer a package.", hint: "Name one: checkpost update FILE.deb.")
        }
        let visit = ServerVisit(
            url: server.url, apiKey: server.anonKey, certificateFile: server.caFile, email: server.email,
            password: try SecretFile.firstLine(of: server.passwordFile))
        let offers: [OfferedUpdate]
        do throws(ServerVisit.Stop) {
            try visit.signIn()
            offers = try visit.usableRows(BoxUpdateRow.question, BoxUpdateRow.self).map(\.offer)
        } catch {
            throw AdvisedError(
                "The server could not be asked what it offers: \(error.text)",
                hint: "checkpost server test says more; or name a file: checkpost update FILE.deb.")
        }
        guard let offer = try newest(of: offers, signedBy: key) else {
            let isSigned = offers.contains { key.signed($0.sha256, signature: $0.signature) }
            throw AdvisedError(
                "The server offers nothing newer for this machine"
                    + (isSigned || offers.isEmpty ? "." : " that the key of [update] has signed."),
                hint: "The park's office offers one with checkpost-server update offer FILE.deb.")
        }
        return try fetch(offer, visit)
    }

    /// Of those alone whose signature is right: it says whose the bytes are before the first of them is here.
    private func newest(of offers: [OfferedUpdate], signedBy key: UpdateSignature) throws -> OfferedUpdate? {
        let signed = offers.filter { key.signed($0.sha256, signature: $0.signature) }
        guard !signed.isEmpty else { return nil }
        return OfferedUpdate.newest(
            of: signed, architecture: tools.architecture(), installed: try tools.installedVersion(),
            isNewer: tools.isNewer)
    }

    private func fetch(_ offer: OfferedUpdate, _ visit: ServerVisit) throws -> String {
        do { lock = try UpdateLock(places.folder + "/offered.lock", waits: false) } catch {
            throw AdvisedError("Another process fetches what is offered.", hint: "Wait for it, or end it.")
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = "\(folder)/\(offer.name.text)"
        let part = "\(folder)/\(offer.sha256).part"
        removeOthers(than: [part, path, path + ".sig"])
        if (try? UpdateSignature.sha256(of: path)) != offer.sha256 {
            try fetch(offer, visit, into: part)
            let sha256 = try UpdateSignature.sha256(of: part)
            guard sha256 == offer.sha256 else {
                unlink(part)
                throw AdvisedError(
                    "What came of \(offer.name.text) is not what was offered.",
                    hint: "checkpost update --offered fetches it again.")
            }
            guard rename(part, path) == 0 else { throw full(errno) }
        }
        try Data((offer.signature + "\n").utf8).write(to: URL(fileURLWithPath: path + ".sig"))
        return path
    }

    /// The rest of a package whose beginning may be here.
    private func fetch(_ offer: OfferedUpdate, _ visit: ServerVisit, into part: String) throws {
        let file = open(part, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw full(errno) }
        defer { close(file) }
        var here = min(Int(lseek(file, 0, SEEK_END)), offer.bytes)
        if let free = DiskSpace.freeBytes(at: folder), free < needed(offer, here) {
            throw AdvisedError(
                "There is no room for the package: it needs \(Wording.bytes(needed(offer, here))), and "
                    + "\(Wording.bytes(free)) are free.", hint: "Free space on the disk of /opt.")
        }
        say(
            "\(offer.name.text): \(Wording.bytes(offer.bytes)) are offered\(here > 0 ? ", \(Wording.bytes(here)) are here" : "")"
        )
        var tenth = here * 10 / offer.bytes
        while here < offer.bytes {
            let data = try fetch(here..<min(here + Self.partBytes, offer.bytes), of: offer, visit)
            let written = data.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(here)) }
            guard written == data.count else { throw full(written < 0 ? errno : ENOSPC) }
            here += written
            if here * 10 / offer.bytes > tenth {
                tenth = here * 10 / offer.bytes
                say("  \(tenth * 10) %")
            }
        }
        guard ftruncate(file, off_t(offer.bytes)) == 0, fsync(file) == 0 else { throw full(errno) }
    }

    /// In bytes: the rest, and the copy that is taken of it.
    private func needed(_ offer: OfferedUpdate, _ here: Int) -> Int { 2 * offer.bytes - here + (64 << 20) }

    private func fetch(_ range: Range<Int>, of offer: OfferedUpdate, _ visit: ServerVisit) throws -> Data {
        for attempt in 1... {
            do throws(ServerVisit.Stop) {
                return try visit.part(of: "\(ParkPath.updates)/\(offer.sha256)", range, timeout: Self.patience)
            } catch {
                guard !error.isNotFound else {
                    throw AdvisedError(
                        "The server offers \(offer.name.text) no more.",
                        hint: "checkpost update --offered asks it what it offers now.")
                }
                guard error.mayPass, attempt < Self.attempts else {
                    throw AdvisedError(
                        "The package could not be fetched: \(error.text)",
                        hint:
                            "\(Wording.bytes(range.lowerBound)) of \(Wording.bytes(offer.bytes)) are here: checkpost update --offered goes "
                            + "on with them.")
                }
                Thread.sleep(forTimeInterval: Self.pauseSeconds)
            }
        }
        preconditionFailure("the last attempt returns or throws")
    }

    private func full(_ code: Int32) -> AdvisedError {
        AdvisedError(
            "The package can't be kept in \(folder): \(String(cString: strerror(code))).",
            hint: "Free space on the disk of /opt.")
    }

    private func removeOthers(than kept: [String]) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            if !kept.contains(path) { unlink(path) }
        }
    }

    /// What is here of an offer is needed no more.
    func forget() { try? FileManager.default.removeItem(atPath: folder) }

    /// For `status` and the technician's page: what the server told this box last; nil when that is nothing newer.
    static func waiting(_ store: Store, signedBy key: UpdateSignature) throws -> StatusReport.Problem? {
        let offers = try store.offeredUpdates.list()
        guard !offers.isEmpty, let places = UpdatePlaces.ownPath.flatMap(UpdatePlaces.init(program:)),
            UpdateFile(places: places).read() == nil,
            let offer = try UpdateDownload(places, say: { _ in }).newest(of: offers, signedBy: key)
        else { return nil }
        return StatusReport.Problem(
            name: "update.offered", severity: "notice", since: offer.offeredAt,
            message: "The server offers version \(offer.name.version), \(Wording.bytes(offer.bytes)).",
            hint: "sudo checkpost update --offered fetches it and tries it for ten minutes.")
    }
}
