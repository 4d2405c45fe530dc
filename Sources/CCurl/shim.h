#ifndef CHECKPOST_CCURL_SHIM_H
#define CHECKPOST_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt is variadic, which Swift can't call: one typed function for each kind of argument.

static inline CURLcode checkpost_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode checkpost_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode checkpost_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode checkpost_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode checkpost_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

typedef size_t (*checkpost_curl_data_callback)(char *data, size_t size, size_t count, void *context);

static inline CURLcode checkpost_curl_set_data_callback(
    CURL *handle, CURLoption option, checkpost_curl_data_callback value) {
    return curl_easy_setopt(handle, option, value);
}

typedef int (*checkpost_curl_progress_callback)(
    void *context, curl_off_t download_total, curl_off_t downloaded, curl_off_t upload_total, curl_off_t uploaded);

static inline CURLcode checkpost_curl_set_progress_callback(CURL *handle, checkpost_curl_progress_callback value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

#endif
