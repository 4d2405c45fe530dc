import Glibc

/// A pseudo-terminal in raw mode: whoever makes it is the device, and the program opens the other side. Simulators are one, and tests.
package struct PseudoTerminal {
    /// Reads and writes don't wait.
    package let master: Int32

    /// What the program opens.
    package let path: String

    package struct OpenError: Error {
        package var code: Int32
    }

    package init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        // posix_openpt and its relatives are not to be had from Swift's Glibc: these are Linux's TIOCSPTLCK and TIOCGPTN.
        var lock: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, UInt(0x4004_5431), &lock) == 0, ioctl(master, UInt(0x8004_5430), &number) == 0
        else { throw OpenError(code: errno) }
        path = "/dev/pts/\(number)"
        var attributes = termios()
        tcgetattr(master, &attributes)
        cfmakeraw(&attributes)
        tcsetattr(master, TCSANOW, &attributes)
    }
}
