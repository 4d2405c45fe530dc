import Enforcement
import Foundation
import Storage

/// Rangers who have signed in at the posts, some of whom the office moves or lets go: none keeps a right for longer than one contact.
final class SimulatedPeople {
    private struct Person {
        let name: String
        let isOfA: Bool
        /// When the office took the post from them; nil while they are there.
        var leavesAt: TimeSpan?
        var hasLeft = false
    }

    private var people: [Person] = []
    private(set) var problems: [String] = []

    /// How many lost their right while the simulation ran.
    private(set) var closed = 0

    /// As the box asks once a minute at most.
    private static let interval = TimeSpan.minutes(1)

    /// - Parameter length: of the day.
    init(_ chance: inout Chance, until length: TimeSpan) {
        for isA in [true, false] {
            for number in 0..<2 {
                people.append(
                    Person(
                        name: "ranger\(number)-\(isA ? "a" : "b")@bnp.local", isOfA: isA,
                        leavesAt: chance.happens(0.6) ? .seconds(chance.share() * length.seconds) : nil))
            }
        }
    }

    var names: Set<String> { Set(people.map(\.name)) }

    /// Whether the office has somebody at a post at this moment.
    func isAt(_ name: String, isA: Bool, at moment: TimeSpan) -> Bool {
        people.contains { $0.name == name && $0.isOfA == isA && ($0.leavesAt.map { moment < $0 } ?? true) }
    }

    func signIn(_ post: SimulatedPost) throws {
        for person in people where person.isOfA == (post.code == "BNP-A") {
            var user = User(
                name: person.name, fullName: person.name, role: .ranger, origin: .server, passwordHash: "x",
                createdAt: post.clock.now)
            user.standing = ServerStanding(isOpen: true, askedAt: post.clock.now)
            try post.store.accounts.add(user)
            try post.store.accounts.begin(
                Session(
                    tokenSHA256: Self.token(of: person.name), userName: person.name, createdAt: post.clock.now,
                    expiresAt: post.clock.now + .hours(12)), with: .password)
        }
    }

    private static func token(of name: String) -> String {
        String((name.filter(\.isLetter) + name.filter(\.isNumber) + String(repeating: "0", count: 64)).prefix(64))
    }

    /// After a post's turn: who left before its last whole cycle began has no right there any longer.
    func look(at post: SimulatedPost) throws {
        guard !post.isPowerless else { return }
        for index in people.indices where people[index].isOfA == (post.code == "BNP-A") && !people[index].hasLeft {
            let person = people[index]
            guard let leavesAt = person.leavesAt, post.clock.time.passed > leavesAt,
                let run = try post.store.runs.list(limit: 1).first, run.failure == nil,
                run.startedAt - Self.interval > SimulatedClock.start + leavesAt + post.clock.error
            else { continue }
            people[index].hasLeft = true
            closed += 1
            if try has(person, a: post) { problems.append("\(person.name) kept a right at \(post.code)") }
        }
    }

    private func has(_ person: Person, a post: SimulatedPost) throws -> Bool {
        let user = try post.store.accounts.user(person.name)
        let session = try post.store.accounts.session(tokenSHA256: Self.token(of: person.name), at: post.clock.now)
        return user?.standing?.isOpen == true || session != nil
    }

    /// In the end.
    func settled(_ posts: [SimulatedPost]) throws -> [String] {
        try problems
            + posts.flatMap { post in
                try people.filter { $0.isOfA == (post.code == "BNP-A") }.compactMap { person in
                    let isOpen = try has(person, a: post)
                    if person.leavesAt != nil { return isOpen ? "\(person.name) has a right at \(post.code)" : nil }
                    return isOpen || post.losses > 0 ? nil : "\(person.name) lost a right at \(post.code)"
                }
            }
    }
}
