#ifndef CHECKPOST_VERSION_H
#define CHECKPOST_VERSION_H

// What `deploy/version` said when this program was built.
const char *checkpost_version(void);
// The commit that it was built from.
const char *checkpost_commit(void);

#endif
