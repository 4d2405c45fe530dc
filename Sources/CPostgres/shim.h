#ifndef CHECKPOST_CPOSTGRES_SHIM_H
#define CHECKPOST_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
