// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// Pixel loops are fifty times slower without the optimiser, and the tests read real pictures: this target is optimised in
// debug builds too.
let optimised: [SwiftSetting] = strict + [.unsafeFlags(["-O"])]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

let package = Package(
    name: "checkpost",
    products: [
        .executable(name: "checkpost", targets: ["checkpost"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CTesseract", pkgConfig: "tesseract", providers: [.apt(["libtesseract-dev"])]),
        .systemLibrary(
            name: "CLeptonica", pkgConfig: "lept", providers: [.apt(["libleptonica-dev"])]),

        .target(name: "Enforcement", dependencies: [crypto], swiftSettings: strict),
        .target(
            name: "Recognition", dependencies: ["Enforcement", "CTesseract", "CLeptonica"],
            swiftSettings: optimised),
        .executableTarget(
            name: "checkpost",
            dependencies: [
                "Enforcement", "Recognition", argumentParser,
            ],
            swiftSettings: strict),

        .testTarget(name: "EnforcementTests", dependencies: ["Enforcement"], swiftSettings: strict),
    ]
)
