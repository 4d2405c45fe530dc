import Capture
import Enforcement
import Storage

/// Takes pictures that are answered for out of the cameras' folders, some at a time.
final class FolderWalk {
    private struct Folder {
        var camera: String
        var tidying: FolderTidying
        var moves: Bool
        var pictures: ArraySlice<FolderTidying.Picture>
    }

    private let store: Store
    private let alarms: AlarmBoard
    private var folders: [Folder] = []

    init(_ cameras: [CameraConfiguration], store: Store, alarms: AlarmBoard) {
        self.store = store
        self.alarms = alarms
        for camera in cameras {
            guard case .folder(let path) = camera.kind, camera.answered != .keep else {
                alarms.clear(Self.alarm(of: camera.name))
                continue
            }
            let tidying = FolderTidying(path: path)
            // A folder that can't be listed has the camera's own alarm.
            guard let pictures = try? tidying.pictures() else { continue }
            folders.append(
                Folder(camera: camera.name, tidying: tidying, moves: camera.answered == .move, pictures: pictures[...]))
        }
    }

    private static func alarm(of camera: String) -> String { "folder.answered.\(camera)" }

    /// What could not be read may have been a vehicle, and somebody may want to look at it: it stays so much longer.
    private static let unreadableTerm = TimeSpan.days(30)

    /// - Parameter cutoff: what was answered for later stays.
    /// - Returns: how many went and their bytes, and whether there are more to look at.
    func step(answeredBefore cutoff: Instant, limit: Int) throws -> (count: Int, bytes: Int, hasMore: Bool) {
        guard let folder = folders.first else { return (0, 0, false) }
        let page = folder.pictures.prefix(limit)
        let taken = try store.frames.taken(
            camera: folder.camera, among: page.map(\.key), before: cutoff,
            sparingUnreadableSince: cutoff - Self.unreadableTerm)
        var (count, bytes) = (0, 0)
        do {
            for picture in page where taken.contains(picture.key) {
                guard try folder.tidying.take(picture, moves: folder.moves) else { continue }
                count += 1
                bytes += picture.bytes
            }
        } catch {
            alarms.raise(
                Self.alarm(of: folder.camera), .warning,
                "Pictures of the camera \(folder.camera) that are answered for stay where they are: \(error.reason).",
                hint: error.hint)
            folders.removeFirst()
            return (count, bytes, !folders.isEmpty)
        }
        folders[0].pictures = folder.pictures.dropFirst(limit)
        if folders[0].pictures.isEmpty {
            alarms.clear(Self.alarm(of: folder.camera))
            folders.removeFirst()
        }
        return (count, bytes, !folders.isEmpty)
    }
}
