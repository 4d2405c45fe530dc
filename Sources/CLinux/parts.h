#ifndef CHECKPOST_CLINUX_PARTS_H
#define CHECKPOST_CLINUX_PARTS_H

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// GNU's own; its headers show them only to those who ask for all that is GNU's.
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static volatile int checkpost_signal_descriptor = -1;

// Only what may be called in a signal handler: one byte, the signal's number. A full pipe has woken its reader already.
static void checkpost_on_signal(int number) {
    int before = errno;
    unsigned char byte = (unsigned char)number;
    if (checkpost_signal_descriptor >= 0 && write(checkpost_signal_descriptor, &byte, 1) < 0) {}
    errno = before;
}

// From now on SIGTERM, SIGINT, SIGHUP and SIGCHLD write their number into the descriptor, which must not block.
static inline void checkpost_write_signals_to(int descriptor) {
    checkpost_signal_descriptor = descriptor;
    struct sigaction action = {0};
    action.sa_handler = checkpost_on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD};
    for (int index = 0; index < 4; index++) sigaction(numbers[index], &action, 0);
    signal(SIGPIPE, SIG_IGN);
}

// Has this process killed when the thread that started it ends, and names it as its file's name would be lost otherwise: it was
// started by /proc/self/exe. Returns whether the parent is still the one expected: it may have ended before this call.
static inline int checkpost_die_with(pid_t parent, const char *name) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0);
    return getppid() == parent;
}

// A child that was stopped since the last call (SIGSTOP, SIGTSTP), or 0.
static inline pid_t checkpost_next_stopped(void) {
    siginfo_t news = {0};
    return waitid(P_ALL, 0, &news, WSTOPPED | WNOHANG) == 0 ? news.si_pid : 0;
}

// A child that has ended, its whole process group killed with it, or 0. `status` is its exit status; `number` the signal that
// ended it, or 0.
static inline pid_t checkpost_next_ended(int *status, int *number) {
    siginfo_t news = {0};
    if (waitid(P_ALL, 0, &news, WEXITED | WNOHANG | WNOWAIT) != 0 || news.si_pid == 0) return 0;
    // While it isn't collected, nobody else can have its number.
    kill(-news.si_pid, SIGKILL);
    int raw = 0;
    if (waitpid(news.si_pid, &raw, 0) != news.si_pid) return 0;
    *status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 0;
    *number = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0;
    return news.si_pid;
}

#endif
