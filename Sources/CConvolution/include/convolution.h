#ifndef CHECKPOST_CONVOLUTION_H
#define CHECKPOST_CONVOLUTION_H

// The innermost loops of the networks that find and read plates. They are C because only C can be compiled for several processors in one
// program: on x86 the processor's AVX2 is used where it has it. Products are added without fusing, so that every processor gives
// the same sums.

/// How a window walks over a map, in values (floats) of that map.
typedef struct {
    long kernel;       // side of the window, in taps
    long channels;     // channels of the input
    long step;         // from one place of the output to the next, in the input
    long row_step;     // from one row of taps to the next
    long tap_step;     // from one tap to the next
    long output_step;  // from one place of the output to the next, in the output
    float least;       // what is lower becomes this
} checkpost_walk;

/// Eight output channels of one output row, from all input channels. Sums are of eight values, as are `weights` (by tap row, tap and
/// input channel) and `bias`.
///
/// `width` is at least 4. Some places are written twice, to the same values.
void checkpost_convolve(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width);

/// Eight channels of one output row, each from the same channel of the input: `weights` are by tap row and tap.
void checkpost_convolve_depthwise(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width);

/// The same for every processor.
void checkpost_convolve_portable(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width);
void checkpost_convolve_depthwise_portable(
    checkpost_walk walk, const float *input, const float *weights, const float *bias, float *output, long width);

#endif
