import Enforcement
import Foundation
import MachineClock
import TestKit
import Testing

/// A machine whose clock a test sets, and whose disk it lets fail, for the programs that are started with its ``environment``: a library
/// that is loaded before the program's own answers in the kernel's place.
///
/// Only what the machine says of the time of day is bent. The time since its start runs on, as it does when a clock is set.
final class BentMachine: @unchecked Sendable {
    // Written by the test alone; the programs read it.
    private let state: UnsafeMutableRawPointer
    private let library: String
    private let file: String
    private let disk: String

    private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/opt/swift/usr/bin/clang"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static var isPossible: Bool { compiler != nil }

    /// - Parameter disk: what stands in the paths that lie on the disk which may fail.
    init(in folder: TemporaryFolder, disk: [String]) throws {
        let source = try folder.write(Self.source, to: "bent.c")
        library = folder["bent.so"].path
        let compiled = try OtherProgram.runAndWait(
            try #require(Self.compiler), ["-shared", "-fPIC", "-O1", "-o", library, source.path, "-ldl"],
            limitSeconds: 120)
        try #require(compiled.status == 0, "\(compiled.output)")
        file = folder["bent"].path
        try Data(count: 16).write(to: folder["bent"])
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let mapped = mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        state = try #require(mapped == MAP_FAILED ? nil : mapped)
        self.disk = disk.joined(separator: ":")
    }

    deinit { munmap(state, 16) }

    var environment: [String: String] {
        ["LD_PRELOAD": library, "CHECKPOST_TEST_MACHINE": file, "CHECKPOST_TEST_DISK": disk]
    }

    /// How far its clock is ahead of the true one.
    var ahead: TimeSpan {
        get { .milliseconds(state.load(as: Int64.self)) }
        set { state.storeBytes(of: Int64(newValue.seconds * 1000), as: Int64.self) }
    }

    /// Whether its kernel says that a time service keeps the clock right.
    var isSynchronised: Bool {
        get { state.load(fromByteOffset: 8, as: Int32.self) == 0 }
        set { state.storeBytes(of: newValue ? 0 : 1, toByteOffset: 8, as: Int32.self) }
    }

    /// What writing to its disk fails with: `EIO`, or `EROFS` for one that is mounted to be read only; 0 for nothing.
    var diskError: Int32 {
        get { state.load(fromByteOffset: 12, as: Int32.self) }
        set { state.storeBytes(of: newValue, toByteOffset: 12, as: Int32.self) }
    }

    /// The time of day by its clock.
    var now: Instant { MachineClock.now + ahead }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <sys/timex.h>
        #include <time.h>
        #include <unistd.h>
        struct bent { int64_t ahead_ms; int32_t is_unsynchronised; int32_t disk_error; };
        static struct bent straight;
        static volatile struct bent *bent = &straight;
        static char disk[4096];
        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("CHECKPOST_TEST_MACHINE"), *names = getenv("CHECKPOST_TEST_DISK");
            if (names) snprintf(disk, sizeof disk, "%s", names);
            int file = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return;
            void *mapped = mmap(0, sizeof *bent, PROT_READ, MAP_SHARED, file, 0);
            if (mapped != MAP_FAILED) bent = mapped;
            close(file);
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            if (syscall(SYS_clock_gettime, clock, now) != 0) return -1;
            if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return 0;
            int64_t ahead = bent->ahead_ms;
            now->tv_sec += ahead / 1000;
            now->tv_nsec += ahead % 1000 * 1000000;
            if (now->tv_nsec < 0) { now->tv_nsec += 1000000000; now->tv_sec -= 1; }
            if (now->tv_nsec >= 1000000000) { now->tv_nsec -= 1000000000; now->tv_sec += 1; }
            return 0;
        }
        int gettimeofday(struct timeval *restrict now, void *restrict zone) {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            now->tv_sec = exact.tv_sec;
            now->tv_usec = exact.tv_nsec / 1000;
            return 0;
        }
        time_t time(time_t *now) {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            if (now) *now = exact.tv_sec;
            return exact.tv_sec;
        }
        int adjtimex(struct timex *question) {
            return bent->is_unsynchronised ? TIME_ERROR : TIME_OK;
        }

        static int is_on_disk(const char *path) {
            for (const char *name = disk; *name;) {
                size_t length = strcspn(name, ":");
                if (memmem(path, strlen(path), name, length)) return 1;
                name += length + (name[length] == ':');
            }
            return 0;
        }
        static int fails(int file) {
            char name[64], path[4096];
            if (bent->disk_error == 0) return 0;
            snprintf(name, sizeof name, "/proc/self/fd/%d", file);
            ssize_t length = readlink(name, path, sizeof path - 1);
            if (length < 0) return 0;
            path[length] = 0;
            if (!is_on_disk(path)) return 0;
            errno = bent->disk_error;
            return 1;
        }
        static int is_closed(const char *path) {
            if (bent->disk_error != EROFS || !is_on_disk(path)) return 0;
            errno = EROFS;
            return 1;
        }
        #define NEXT(name) __typeof__(name) *next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
        #define BEND(type, name, parameters, test, arguments) \
            type name parameters { if (test) return -1; NEXT(name); return next arguments; }
        BEND(ssize_t, write, (int file, const void *bytes, size_t count), fails(file), (file, bytes, count))
        BEND(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), fails(file), (file, bytes, count, at))
        BEND(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), fails(file), (file, bytes, count, at))
        BEND(int, fsync, (int file), fails(file), (file))
        BEND(int, fdatasync, (int file), fails(file), (file))
        BEND(int, ftruncate, (int file, off_t length), fails(file), (file, length))
        BEND(int, ftruncate64, (int file, off64_t length), fails(file), (file, length))
        BEND(int, mkdir, (const char *path, mode_t mode), is_closed(path), (path, mode))
        BEND(int, unlink, (const char *path), is_closed(path), (path))
        BEND(int, rename, (const char *from, const char *to), is_closed(to), (from, to))
        #define BEND_OPEN(name, parameters, arguments) \
            int name parameters { \
                mode_t mode = 0; \
                if (flags & (O_CREAT | __O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); } \
                if ((flags & O_ACCMODE) != O_RDONLY && is_closed(path)) return -1; \
                NEXT(name); \
                return next arguments; \
            }
        BEND_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
        BEND_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
        BEND_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
        BEND_OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
        """#
}
