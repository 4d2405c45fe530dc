import Foundation
import Testing

/// The house rules that a reader would otherwise have to watch over.
@Suite("The checkout is tidy", .timeLimit(.minutes(5)))
struct TidyTests {
    private static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What may stand at the top beside dotfiles. `Package.resolved` is written by the package manager and not committed.
    private static let topLevel: Set<String> = [
        "CHANGELOG.md", "LICENSE", "Package.resolved", "Package.swift", "README.md", "Sources", "Tests", "deploy",
        "models",
    ]

    /// Which of the project's modules each folder of `Sources` may import.
    private static let arrows: [String: Set<String>] = [
        "Plates": [],
        "Enforcement": ["Plates"],
        "ParkAPI": ["Enforcement"],
        "MachineClock": ["Enforcement", "CLinux"],
        "Capture": ["Enforcement", "HTTPClient", "MachineClock"],
        "PictureHeader": [],
        "Recognition": [
            "Plates", "Enforcement", "PictureHeader", "CConvolution", "CTesseract", "CLeptonica", "CTurboJPEG",
        ],
        "Storage": ["Enforcement", "ParkAPI"],
        "Modem": ["CLinux"],
        "HTTPClient": ["Enforcement", "CCurl"],
        "Synchronizer": ["Enforcement", "MachineClock", "ParkAPI", "Storage", "HTTPClient"],
        "Ranger": ["Enforcement", "Storage"],
        "Paper": ["PictureHeader", "CPangoCairo"],
        "Notices": ["Enforcement", "Pages", "Paper"],
        "Pages": ["Enforcement"],
        "PeerLink": ["Enforcement", "HTTPClient", "Pages"],
        "Console": ["Enforcement", "MachineClock", "Notices", "Pages", "Paper", "Ranger", "Storage"],
        "Watch": ["Enforcement", "HTTPClient", "Pages"],
        "Appliance": [
            "Enforcement", "Capture", "Recognition", "Ranger", "Storage", "Modem", "HTTPClient", "Synchronizer",
            "Console", "CLinux", "CVersion", "MachineClock", "ParkAPI", "Paper", "PeerLink",
        ],
        "ReaderLab": ["Enforcement", "Recognition", "Storage"],
        "Setup": ["Appliance", "Enforcement"],
        "checkpost": [
            "ReaderLab", "Setup",
            "Appliance", "Enforcement", "Capture", "Recognition", "Ranger", "Storage", "Modem", "Synchronizer",
            "Console", "Watch",
        ],
        "checkpost-server": [
            "Enforcement", "HTTPClient", "Modem", "Notices", "Pages", "Paper", "ParkAPI", "PictureHeader", "CPostgres",
            "CTurboJPEG", "CVersion",
        ],
        "EmbedMigrations": [],
    ]

    /// What decides and does nothing else.
    private static let domain = ["Sources/Plates/", "Sources/Enforcement/", "Sources/ParkAPI/"]

    private static let modules = arrows.values.reduce(into: Set(arrows.keys)) { $0.formUnion($1) }

    /// Longer files, each with the reason why it isn't split.
    private static let longFiles: [String: String] = [:]

    private static let mostLines = 300

    /// Of the box's program together: it parses what is typed and prints answers, and what is done stands in the libraries.
    private static let mostProgramLines = 4000
    private static let mostFunctionLines = 80

    /// The formatter keeps code within 120 columns. It leaves comments, SQL and sentences alone, which run over here and
    /// there: bring this down to 120 as they are wrapped.
    private static let mostColumns = 145

    @Test func `finds its own files`() throws {
        let paths = try Self.files().map(\.path)
        #expect(paths.contains("Tests/EnforcementTests/TidyTests.swift"))
        #expect(paths.contains("Sources/Enforcement/Sighting/SightingTracker.swift"))
    }

    @Test func `has no long files`() throws {
        for file in try Self.files() where Self.longFiles[file.path] == nil {
            #expect(file.lines.count <= Self.mostLines, "\(file.path) has \(file.lines.count) lines: split it")
        }
        for path in Self.longFiles.keys {
            #expect(try Self.files().contains { $0.path == path }, "\(path) is gone: take it off the list")
        }
    }

    @Test func `waits for no time of day, which somebody may set`() throws {
        for file in try Self.files() where file.path.hasPrefix("Sources/") {
            for (index, line) in file.lines.enumerated() where line.contains("wait(until: Date") {
                Issue.record("\(file.path):\(index + 1): MonotonicCondition waits for time to pass")
            }
        }
    }

    @Test func `has no long functions`() throws {
        for file in try Self.files() {
            for function in file.functions where function.length > Self.mostFunctionLines {
                Issue.record("\(file.path):\(function.line): a function of \(function.length) lines: split it")
            }
        }
    }

    @Test func `has no long lines`() throws {
        for file in try Self.files() {
            for (index, line) in file.lines.enumerated() where line.count > Self.mostColumns {
                Issue.record("\(file.path):\(index + 1): \(line.count) columns")
            }
        }
    }

    @Test func `keeps clocks and randomness out of the domain`() throws {
        let banned = [
            "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchTime", "SystemRandomNumberGenerator",
            "UUID()", ".random(", ".shuffled()", ".randomElement()",
        ]
        for folder in Self.domain { try Self.forbid(banned, under: folder) }
    }

    @Test func `never crashes by decree`() throws {
        try Self.forbid(["try!", "as!", "fatalError("], under: "Sources/")
    }

    @Test func `gives every suite a time limit`() throws {
        for file in try Self.files() where file.path.hasPrefix("Tests/") {
            let code = file.lines.map { SwiftFile.code($0) }.joined(separator: "\n")
            for suite in code.split(separator: "\n@Suite").dropFirst() {
                let traits = suite.prefix { $0 != "{" }
                #expect(traits.contains(".timeLimit("), "\(file.path): \(traits)")
            }
            // A test outside a suite would have none.
            #expect(!code.contains("\n@Test"), "\(file.path)")
        }
    }

    /// A test that draws by chance takes `Seed.drawn()`, which prints its seed and takes it.
    @Test func `draws nothing in tests that can't be drawn again`() throws {
        for file in try Self.files() where file.path.hasPrefix("Tests/") && !Self.drawsByChance.contains(file.path) {
            for (index, line) in file.lines.enumerated() {
                let code = SwiftFile.code(line)
                let isDrawn = [".random(in:", ".shuffled(", ".randomElement("].contains { code.contains($0) }
                let isFree = code.contains("SystemRandomNumberGenerator()") || (isDrawn && !code.contains("using:"))
                if isFree { Issue.record("\(file.path):\(index + 1): \(code)") }
            }
        }
    }

    /// A test waits for what it expects, looking again and again. A time alone is waited for where nothing must come, or where the time
    /// is what is tested: the line above says so.
    @Test func `sleeps in tests between two looks, or says why for so long`() throws {
        for file in try Self.files() where file.path.hasPrefix("Tests/") {
            for (index, line) in file.lines.enumerated() where SwiftFile.code(line).contains("sleep(") {
                let isSaid = index > 0 && file.lines[index - 1].contains("// ") || line.contains("// ")
                if !isSaid, !Self.isInLoop(index, of: file.lines) {
                    Issue.record("\(file.path):\(index + 1): \(line)")
                }
            }
        }
    }

    /// Whether the line, or one that it is indented under, begins a loop within the same function.
    private static func isInLoop(_ index: Int, of lines: [Substring]) -> Bool {
        func depth(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        if lines[index].contains("while ") || lines[index].contains("for ") && lines[index].contains(" in ") {
            return true
        }
        var inner = depth(lines[index])
        for line in lines[..<index].reversed() where !line.isEmpty && depth(line) < inner {
            let code = line.drop { $0 == " " }
            // What it opens is said further up.
            if code == "{" { continue }
            inner = depth(line)
            if ["while ", "for ", "repeat "].contains(where: { code.hasPrefix($0) }) { return true }
            if code.contains("func ") { return false }
        }
        return false
    }

    /// The seed's own place, the moment of a kill, and a file whose seed is drawn in another way.
    private static let drawsByChance: Set<String> = [
        "Tests/TestKit/Seed.swift", "Tests/StorageTests/Opening/PowerCutTests.swift",
        "Tests/CheckpostTests/Kills/RandomKillTests.swift", "Tests/EnforcementTests/TidyTests.swift",
    ]

    @Test func `imports nothing but Foundation and Crypto into the domain`() throws {
        for file in try Self.files() where Self.domain.contains(where: file.path.hasPrefix) {
            let foreign = file.imports.subtracting(["Foundation", "Crypto", "Plates", "Enforcement"])
            #expect(foreign.isEmpty, "\(file.path) imports \(foreign.sorted())")
        }
    }

    @Test func `has no arrow between targets that the house does not know`() throws {
        for file in try Self.files() where file.path.hasPrefix("Sources/") {
            let target = file.path.split(separator: "/")[1]
            guard let allowed = Self.arrows[String(target)] else {
                Issue.record("\(file.path): the house has no target \(target)")
                continue
            }
            let foreign = file.imports.intersection(Self.modules).subtracting(allowed)
            #expect(foreign.isEmpty, "\(file.path) imports \(foreign.sorted())")
        }
    }

    @Test func `keeps the command line out of the libraries`() throws {
        let programs = ["Sources/checkpost/", "Sources/checkpost-server/", "Sources/EmbedMigrations/"]
        let libraries = try Self.files().filter { file in
            file.path.hasPrefix("Sources/") && !programs.contains { file.path.hasPrefix($0) }
        }
        #expect(libraries.count > 300)
        for file in libraries { #expect(!file.imports.contains("ArgumentParser"), "\(file.path)") }
        for library in ["Appliance", "Ranger"] {
            try Self.forbid(
                ["print(", "FileHandle.standardOutput", " .standardOutput", "(.standardOutput"],
                under: "Sources/\(library)/")
        }
    }

    @Test func `keeps the box's program to its commands`() throws {
        let program = try Self.files().filter { $0.path.hasPrefix("Sources/checkpost/") }
        let lines = program.map(\.lines.count).reduce(0, +)
        #expect(lines > 1000 && lines < Self.mostProgramLines)
    }

    @Test func `has every target of the package in its table, and no other`() throws {
        let package = try Self.text(Self.checkout.path(percentEncoded: false) + "Package.swift")
        let declaration = #/\.(target|executableTarget|systemLibrary|plugin)\(\s*name: "([^"]+)"/#
        let targets = Set(package.matches(of: declaration).map { String($0.2) }).subtracting(["TestKit"])
        #expect(targets.count > 10)
        #expect(targets == Self.modules, "\(targets.symmetricDifference(Self.modules).sorted())")
    }

    /// Under `pipefail` a program that `grep -q` leaves before it has said all fails with its pipe, now and then.
    @Test func `lets no script's program talk to a reader that leaves early`() throws {
        let folder = Self.checkout.appending(path: "deploy")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let scripts = names.compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            .filter { $0.hasPrefix("#!") || $0.contains("pipefail") }
        #expect(scripts.count > 5)
        for line in scripts.flatMap({ $0.components(separatedBy: "\n") }) where !line.hasPrefix("#") {
            #expect(line.firstMatch(of: /\|\s*grep -[a-zA-Z]*q/) == nil, "\(line)")
        }
    }

    @Test func `lists every decision note once`() throws {
        let folder = Self.checkout.appending(path: "Sources/Enforcement/Enforcement.docc/Decisions")
        let list = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let notes = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("0") }
        #expect(notes.count > 100)
        for note in notes.sorted() { #expect(list.components(separatedBy: "(\(note))").count == 2, "\(note)") }
    }

    @Test func `has only the agreed names at the top`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.checkout.path(percentEncoded: false))
        let foreign = names.filter { !$0.hasPrefix(".") && !Self.topLevel.contains($0) }
        #expect(foreign.isEmpty, "\(foreign.sorted())")
    }

    /// A program's texts are laid over those that all pages share: one of the same name would change what a shared page says.
    @Test func `gives no text of a program the name of a shared one`() throws {
        func names(_ folder: String) throws -> Set<String> {
            let path = Self.checkout.path(percentEncoded: false) + "Sources/\(folder)/Texts/en.json"
            let texts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(filePath: path)))
            return Set(texts.keys)
        }
        let shared = try names("Pages")
        #expect(shared.count > 50)
        for program in ["Console", "Watch", "checkpost-server/Warden"] {
            #expect(try names(program).isDisjoint(with: shared), "\(program)")
        }
    }

    private static func forbid(_ banned: [String], under folder: String) throws {
        for file in try files() where file.path.hasPrefix(folder) {
            for (index, line) in file.lines.enumerated() {
                let code = SwiftFile.code(line)
                for text in banned where SwiftFile.contains(text, in: code) {
                    Issue.record("\(file.path):\(index + 1): \(text)")
                }
            }
        }
    }

    private static func files() throws -> [SwiftFile] {
        let manager = FileManager.default
        let root = checkout.path(percentEncoded: false)
        return try ["Sources", "Tests"].flatMap { folder in
            // Names, not URLs: a checkout may be reached through a link.
            try manager.subpathsOfDirectory(atPath: root + folder)
                .filter { $0.hasSuffix(".swift") && !$0.split(separator: "/").contains(".build") }
                .map { SwiftFile(path: "\(folder)/\($0)", text: try text(root + folder + "/" + $0)) }
        }
        .sorted { $0.path < $1.path }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
