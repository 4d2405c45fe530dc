// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

let package = Package(
    name: "checkpost",
    products: [
        .executable(name: "checkpost", targets: ["checkpost"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLinux"),

        .target(name: "Enforcement", dependencies: [crypto], swiftSettings: strict),
        .target(
            name: "Capture", dependencies: ["Enforcement", "CCurl", "CLinux", subprocess], swiftSettings: strict),
        .executableTarget(
            name: "checkpost",
            dependencies: [
                "Enforcement", argumentParser,
            ],
            swiftSettings: strict),

        .testTarget(
            name: "CaptureTests", dependencies: ["Capture", "Enforcement"], exclude: ["Support/rtsp-server.py"],
            swiftSettings: strict),
        .testTarget(name: "EnforcementTests", dependencies: ["Enforcement"], swiftSettings: strict),
    ]
)
