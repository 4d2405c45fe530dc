import Foundation

/// What is mounted where, as this process sees it: the text of `/proc/self/mountinfo`.
struct MountList {
    struct Mount: Equatable {
        /// `8:17`
        let device: String
        let place: String

        /// `/dev/sdb1`
        let source: String
    }

    static let path = "/proc/self/mountinfo"

    /// In the order in which they were mounted.
    let mounts: [Mount]

    init(path: String = path) {
        self.init(text: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }

    init(text: String) {
        // 36 35 8:17 / /media/stick rw,noatime shared:1 - vfat /dev/sdb1 rw
        mounts = text.split(separator: "\n").compactMap { line in
            let halves = line.split(separator: " - ", maxSplits: 1).map { $0.split(separator: " ") }
            guard halves.count == 2, halves[0].count > 4, halves[1].count > 1 else { return nil }
            return Mount(
                device: String(halves[0][2]), place: Self.unescaped(String(halves[0][4])),
                source: Self.unescaped(String(halves[1][1])))
        }
    }

    /// The mount that a path lies on.
    func mount(holding path: String) -> Mount? {
        let path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
        // Of two at one place the later one covers the other.
        return mounts.filter { $0.place == "/" || path == $0.place || path.hasPrefix($0.place + "/") }
            .enumerated().max { ($0.element.place.count, $0.offset) < ($1.element.place.count, $1.offset) }?.element
    }

    /// A space in a path is `\040` in the list.
    private static func unescaped(_ path: String) -> String {
        ["\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"].reduce(path) {
            $0.replacing($1.key, with: $1.value)
        }
    }
}
