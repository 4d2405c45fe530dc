#include <leptonica/allheaders.h>
// From 1.83 on (Debian 13) the structures stand in a header of their own; without them Swift sees no type.
#if __has_include(<leptonica/pix_internal.h>)
#include <leptonica/pix_internal.h>
#endif
