import Enforcement
import Foundation

/// What ffmpeg is asked to open.
package enum FFmpegInput: Sendable, Equatable {
    /// An RTSP camera, over TCP: lost packets would smear the picture. The login may stand in the address or apart from it.
    case rtsp(url: Secret, user: String?, password: Secret?)
    /// A camera at this machine, `/dev/video0` say; the size as `1920x1080`, nil for the camera's own.
    case v4l2(device: String, size: String?)
    /// A video file; `start` is when its first frame was taken, nil to take it from the file's name, else from its modification time.
    case file(path: String, start: Instant?)
}

/// Writes ffmpeg's command line (ffmpeg 5.1): the input decoded, its frames encoded as JPEG pictures, one after another on the
/// standard output.
struct FFmpegArguments {
    var input: FFmpegInput
    var framesPerSecond: Double?
    var stallTimeout: TimeSpan

    var list: [String] {
        // -nostdin: a child that reads the terminal's keys would stop a technician's shell.
        ["-nostdin", "-hide_banner", "-nostats", "-loglevel", tellsTimes ? "info" : "warning"] + inputArguments
            + ["-map", "0:v:0", "-vf", filters, "-fps_mode", "passthrough", "-enc_time_base", "-1"]
            + ["-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "-flush_packets", "1", "pipe:1"]
    }

    /// Whether ffmpeg tells the time of every frame on its standard error.
    var tellsTimes: Bool {
        if case .file = input { true } else { false }
    }

    private var inputArguments: [String] {
        switch input {
        case .rtsp(let url, let user, let password):
            // ffmpeg takes the login in no other way than in the address.
            let address = CameraAddress(url, user: user, password: password)
            return [
                "-rtsp_transport", "tcp", "-timeout", String(stallTimeout.milliseconds * 1000), "-fflags", "nobuffer",
                "-flags",
                "low_delay", "-i", address.urlWithLogin.revealed,
            ]
        case .v4l2(let device, let size):
            return ["-f", "v4l2"] + (size.map { ["-video_size", $0] } ?? []) + ["-i", device]
        case .file(let path, _):
            // `file:` keeps a name with a colon from being read as a protocol.
            return ["-i", "file:" + path]
        }
    }

    /// Passing over frames by `select` keeps the time of each that stays, which the fps filter does not. The time base of a
    /// thousandth makes showinfo's whole numbers milliseconds, and no frame's time is rounded twice.
    private var filters: String {
        var filters: [String] = []
        if let framesPerSecond, framesPerSecond > 0 {
            // A little less than the interval: the time stamps of a camera tremble.
            let interval = String(format: "%.4f", locale: Locale(identifier: "en_US_POSIX"), 0.95 / framesPerSecond)
            filters.append("select='isnan(prev_selected_t)+gte(t-prev_selected_t,\(interval))'")
        }
        if tellsTimes { filters += ["settb=1/1000", "showinfo=checksum=0"] }
        // A JPEG has the full range of values.
        filters += ["scale=out_range=full", "format=yuvj420p"]
        return filters.joined(separator: ",")
    }
}
