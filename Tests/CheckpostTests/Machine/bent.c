// Loaded before a program's own libraries, it answers in the kernel's place: with a clock that a test sets, and a disk that fails.
// CHECKPOST_TEST_MACHINE is a file of 16 bytes that says how, read as it is changed; CHECKPOST_TEST_DISK what stands in the paths that may
// fail. Clocks that count from the boot stay as they are, as they do when somebody sets a machine's clock.
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
