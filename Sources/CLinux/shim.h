#ifndef CHECKPOST_CLINUX_SHIM_H
#define CHECKPOST_CLINUX_SHIM_H

#include <sys/timex.h>

// Whether the kernel knows that a time service keeps its clock right. Asking changes nothing and needs no privilege.
static inline int checkpost_clock_is_synchronised(void) {
    struct timex question = {0};
    int answer = adjtimex(&question);
    return answer >= 0 && answer != TIME_ERROR;
}

#endif
