"""An RTSP server on loopback for the tests: a moving test picture at /live, behind a login when USER and PASSWORD are given.

Prints its port, then serves until it is killed or its standard input ends.
"""
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    "( videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width=320,height=240,framerate=10/1"
    " ! jpegenc ! rtpjpegpay name=pay0 pt=26 )"
)
factory.set_shared(True)
if len(sys.argv) == 3:
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "user")
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic(sys.argv[1], sys.argv[2]), token)
    server.set_auth(auth)
    permissions = GstRtspServer.RTSPPermissions()
    permissions.add_permission_for_role("user", "media.factory.access", True)
    permissions.add_permission_for_role("user", "media.factory.construct", True)
    factory.set_permissions(permissions)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
loop = GLib.MainLoop()


def quit_with_parent():
    sys.stdin.read()
    loop.quit()


threading.Thread(target=quit_with_parent, daemon=True).start()
loop.run()
