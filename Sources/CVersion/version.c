#include "version.h"

// Both come from the environment of the build, through Package.swift.
const char *checkpost_version(void) { return CHECKPOST_VERSION; }
const char *checkpost_commit(void) { return CHECKPOST_COMMIT; }
