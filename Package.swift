// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// The one place that the version comes from is `git describe`: deploy/version asks it, and whatever builds for use passes it on.
let environment = Context.environment
let version: [CSetting] = [
    .define("CHECKPOST_VERSION", to: "\"\(environment["CHECKPOST_VERSION"] ?? "development")\""),
    .define("CHECKPOST_COMMIT", to: "\"\(environment["CHECKPOST_COMMIT"] ?? "unknown")\""),
]

// Pixel loops and simulated weeks are fifty times slower without the optimiser: these targets are optimised in
// debug builds too.
let optimised: [SwiftSetting] = strict + [.unsafeFlags(["-O"])]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let csv = Target.Dependency.product(name: "SwiftCSV", package: "SwiftCSV")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "checkpost",
    products: [
        .executable(name: "checkpost", targets: ["checkpost"]),
        .executable(name: "checkpost-server", targets: ["checkpost-server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CTesseract", pkgConfig: "tesseract", providers: [.apt(["libtesseract-dev"])]),
        .systemLibrary(
            name: "CLeptonica", pkgConfig: "lept", providers: [.apt(["libleptonica-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CPangoCairo", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CVersion", cSettings: version),
        .systemLibrary(
            name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // Not only in release builds: see above.
        .target(name: "CConvolution", cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]),

        .target(name: "Plates", swiftSettings: optimised),
        .target(name: "Enforcement", dependencies: ["Plates", crypto], swiftSettings: optimised),
        // The wall clock, the time since the machine started, and what the kernel says of both.
        .target(name: "MachineClock", dependencies: ["Enforcement", "CLinux"], swiftSettings: strict),
        .target(name: "ParkAPI", dependencies: ["Enforcement", crypto], swiftSettings: strict),
        .target(
            name: "Capture", dependencies: ["Enforcement", "HTTPClient", "MachineClock", subprocess],
            swiftSettings: strict),
        // What the segments of a JPEG say of it.
        .target(name: "PictureHeader", swiftSettings: optimised),
        .target(
            name: "Recognition",
            dependencies: [
                "Plates", "Enforcement", "PictureHeader", "CConvolution", "CTesseract", "CLeptonica", "CTurboJPEG",
                crypto,
            ],
            swiftSettings: optimised),
        .target(name: "Storage", dependencies: ["Enforcement", "ParkAPI", crypto, grdb], swiftSettings: strict),
        .target(name: "Modem", swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["Enforcement", "CCurl"], swiftSettings: strict),
        .target(
            name: "Synchronizer",
            dependencies: ["Enforcement", "MachineClock", "ParkAPI", "Storage", "HTTPClient", crypto],
            swiftSettings: strict),
        // Pages of text, tables and pictures: as a PDF, or as dots for a receipt printer. Knows nothing of plates.
        .target(name: "Paper", dependencies: ["PictureHeader", "CPangoCairo"], swiftSettings: strict),
        .target(name: "Ranger", dependencies: ["Enforcement", "Storage"], swiftSettings: strict),
        // What the box's console and the warden's page share: texts, templates, style, forms and events.
        .target(
            name: "Pages", dependencies: ["Enforcement", crypto, hummingbird, hummingbirdTLS, lifecycle, mustache],
            resources: [.embedInCode("Assets"), .embedInCode("Templates"), .embedInCode("Texts")],
            swiftSettings: strict),
        // The wire between two posts: pairing, keys, sealed questions and answers. Knows nothing of passages.
        .target(
            name: "PeerLink",
            dependencies: ["Enforcement", "HTTPClient", "Pages", crypto, hummingbird, lifecycle, logging],
            swiftSettings: strict),
        // A notice of a violation to hand over, as a post and the park's office write it.
        .target(name: "Notices", dependencies: ["Enforcement", "Pages", "Paper"], swiftSettings: strict),
        .target(
            name: "Console",
            dependencies: [
                "Enforcement", "MachineClock", "Notices", "Pages", "Paper", "Ranger", "Storage", crypto, cryptoExtras,
                hummingbird, lifecycle, logging,
            ],
            // In the program itself: an installed box has one file, and pages and program never differ in version.
            resources: [.embedInCode("Assets"), .embedInCode("Templates"), .embedInCode("Texts")],
            swiftSettings: strict),
        .target(
            name: "ReaderLab", dependencies: ["Enforcement", "Recognition", "Storage", csv], swiftSettings: optimised),
        .target(
            name: "Watch", dependencies: ["Enforcement", "HTTPClient", "Pages"], resources: [.embedInCode("Texts")],
            swiftSettings: strict),
        .target(
            name: "Appliance",
            dependencies: [
                "Enforcement", "Capture", "Console", "HTTPClient", "MachineClock", "Modem", "Paper", "PeerLink",
                "Ranger", "Recognition", "Storage",
                "Synchronizer", "ParkAPI", "CLinux", "CVersion", lifecycle, logging, subprocess, toml, unixSignals,
            ],
            swiftSettings: strict),
        .target(name: "Setup", dependencies: ["Appliance", "Enforcement"], swiftSettings: strict),
        .executableTarget(
            name: "checkpost",
            dependencies: [
                "Setup",
                "ReaderLab",
                "Appliance", "Enforcement", "Capture", "Console", "Modem", "Ranger", "Recognition", "Storage",
                "Synchronizer", "Watch", argumentParser, logging,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "checkpost-server",
            dependencies: [
                "Enforcement", "HTTPClient", "Modem", "Notices", "Pages", "Paper", "ParkAPI", "PictureHeader",
                "CPostgres", "CTurboJPEG", "CVersion", argumentParser, crypto, hummingbird, lifecycle, logging, toml,
            ],
            resources: [
                .embedInCode("Warden/Assets"), .embedInCode("Warden/Templates"), .embedInCode("Warden/Texts"),
            ],
            swiftSettings: strict,
            plugins: ["EmbedMigrations"]),
        // Puts deploy/server/migrations and functions into the server's program.
        .plugin(name: "EmbedMigrations", capability: .buildTool(), path: "Sources/EmbedMigrations", exclude: ["embed"]),

        // What tests of several targets work with: a modem on a pseudo-terminal, a park's server, a proxy to cut.
        .target(name: "TestKit", dependencies: ["Modem"], path: "Tests/TestKit", swiftSettings: strict),
        .testTarget(name: "PlatesTests", dependencies: ["Plates", "TestKit"], swiftSettings: strict),
        .testTarget(name: "PaperTests", dependencies: ["Paper", "TestKit"], swiftSettings: strict),
        .testTarget(name: "EnforcementTests", dependencies: ["Enforcement", "TestKit"], swiftSettings: strict),
        .testTarget(name: "ParkAPITests", dependencies: ["ParkAPI", "TestKit"], swiftSettings: strict),
        .testTarget(
            name: "CaptureTests", dependencies: ["Capture", "Enforcement", "HTTPClient", "MachineClock", "TestKit"],
            exclude: ["Support/rtsp-server.py"],
            swiftSettings: strict),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Console", "Notices", "Pages", "Paper", "Storage", "Enforcement", "TestKit", crypto, lifecycle, logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CheckpostTests",
            dependencies: [
                "ReaderLab", csv,
                "Appliance", "checkpost", "HTTPClient", "MachineClock", "Modem", "ParkAPI", "PeerLink", "Ranger",
                "Synchronizer", "TestKit", "Watch", crypto,
            ],
            exclude: ["Browser", "Machine"], swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "Enforcement", "TestKit"], swiftSettings: strict),
        .testTarget(
            name: "ModemTests", dependencies: ["Modem", "TestKit"], exclude: ["Peers"], resources: [.copy("Dialogues")],
            swiftSettings: strict),
        .testTarget(
            name: "RecognitionTests",
            dependencies: [
                "Recognition", "Enforcement", "PictureHeader", "CConvolution", "CLeptonica", "CTurboJPEG", "TestKit",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ReaderLabTests", dependencies: ["ReaderLab", "Recognition", "Enforcement", "TestKit"],
            swiftSettings: strict),
        .testTarget(name: "StorageTests", dependencies: ["Storage", "ParkAPI", "TestKit"], swiftSettings: strict),
        .testTarget(
            name: "CheckpostServerTests",
            dependencies: [
                "checkpost-server", "Enforcement", "HTTPClient", "Notices", "Pages", "ParkAPI", "PictureHeader",
                "TestKit",
                crypto,
            ],
            exclude: ["Browser", "Client/run", "Client/client.py", "Photos/storage.py", "Supabase/functions.mjs"],
            swiftSettings: strict),
        .testTarget(
            name: "SynchronizerTests",
            dependencies: [
                "Appliance", "Synchronizer", "ParkAPI", "HTTPClient", "Storage", "Enforcement", "TestKit", crypto,
            ],
            swiftSettings: strict),
    ]
)
