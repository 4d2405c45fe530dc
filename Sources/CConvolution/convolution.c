#include "convolution.h"

#pragma STDC FP_CONTRACT OFF

// Eight values, wherever they lie in memory.
typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));

#define LANES 8
#define INLINE static inline __attribute__((always_inline))

INLINE void store(const eight *sum, float least, float *output) {
    eight floor = {least, least, least, least, least, least, least, least};
    *(eight *)output = __builtin_elementwise_max(*sum, floor);
}

// `places` neighbours at once: their sums stay in registers while the window's values go by.
INLINE void convolve_places(
    const checkpost_walk *walk, const float *input, const float *weights, const float *bias, float *output, int places) {
    eight sums[8];
    for (int place = 0; place < places; place++) sums[place] = *(const eight *)bias;
    for (long row = 0; row < walk->kernel; row++) {
        for (long tap = 0; tap < walk->kernel; tap++) {
            const float *values = input + row * walk->row_step + tap * walk->tap_step;
            for (long channel = 0; channel < walk->channels; channel++) {
                eight weight = *(const eight *)weights;
                weights += LANES;
                for (int place = 0; place < places; place++) {
                    sums[place] += weight * values[place * walk->step + channel];
                }
            }
        }
    }
    for (int place = 0; place < places; place++) store(&sums[place], walk->least, output + place * walk->output_step);
}

INLINE void convolve_row(
    const checkpost_walk *walk, const float *input, const float *weights, const float *bias, float *output, long width,
    int places) {
    for (long x = 0; x < width; x += places) {
        // The last ones may overlap those before.
        long first = x + places <= width ? x : width - places;
        convolve_places(
            walk, input + first * walk->step, weights, bias, output + first * walk->output_step, places);
    }
}

INLINE void depthwise_row(
    const checkpost_walk *walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    for (long x = 0; x < width; x++) {
        eight sum = *(const eight *)bias;
        for (long row = 0; row < walk->kernel; row++) {
            for (long tap = 0; tap < walk->kernel; tap++) {
                const float *values = input + x * walk->step + row * walk->row_step + tap * walk->tap_step;
                sum += *(const eight *)(weights + (row * walk->kernel + tap) * LANES) * *(const eight *)values;
            }
        }
        store(&sum, walk->least, output + x * walk->output_step);
    }
}

#if defined(__x86_64__)

// With 16 registers of eight values, eight places fit.
__attribute__((target("avx2"))) static void convolve_avx2(
    const checkpost_walk *walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    if (width >= 8) {
        convolve_row(walk, input, weights, bias, output, width, 8);
    } else {
        convolve_row(walk, input, weights, bias, output, width, 4);
    }
}

__attribute__((target("avx2"))) static void depthwise_avx2(
    const checkpost_walk *walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    depthwise_row(walk, input, weights, bias, output, width);
}

#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define HAS_AVX2 0
#define convolve_avx2(...)
#define depthwise_avx2(...)
#endif

void checkpost_convolve_portable(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    convolve_row(&walk, input, weights, bias, output, width, 4);
}

void checkpost_convolve_depthwise_portable(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    depthwise_row(&walk, input, weights, bias, output, width);
}

void checkpost_convolve(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    if (HAS_AVX2) {
        convolve_avx2(&walk, input, weights, bias, output, width);
    } else {
        checkpost_convolve_portable(walk, input, weights, bias, output, width);
    }
}

void checkpost_convolve_depthwise(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width) {
    if (HAS_AVX2) {
        depthwise_avx2(&walk, input, weights, bias, output, width);
    } else {
        checkpost_convolve_depthwise_portable(walk, input, weights, bias, output, width);
    }
}
