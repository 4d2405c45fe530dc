// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

let package = Package(
    name: "checkpost",
    products: [
        .executable(name: "checkpost", targets: ["checkpost"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "Enforcement", dependencies: [crypto], swiftSettings: strict),
        .target(name: "Storage", dependencies: ["Enforcement", crypto, grdb], swiftSettings: strict),
        .executableTarget(
            name: "checkpost",
            dependencies: [
                "Enforcement", argumentParser,
            ],
            swiftSettings: strict),

        .testTarget(name: "EnforcementTests", dependencies: ["Enforcement"], swiftSettings: strict),
        .testTarget(name: "StorageTests", dependencies: ["Storage"], swiftSettings: strict),
    ]
)
