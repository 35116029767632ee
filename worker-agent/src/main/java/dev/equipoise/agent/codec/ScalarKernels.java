package dev.equipoise.agent.codec;

/** The reference implementation, in plain Java. */
final class ScalarKernels implements Kernels {

    @Override
    public boolean areFinite(float[] values, int length) {
        for (int i = 0; i < length; i++) {
            if (!Float.isFinite(values[i])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public double sumOfMagnitudes(float[] values, int length) {
        double total = 0;
        for (int lane = 0; lane < LANES; lane++) {
            float sum = 0;
            for (int i = lane; i < length; i += LANES) {
                sum += Math.abs(values[i]);
            }
            total += sum;
        }
        return total;
    }

    @Override
    public double dot(float[] left, float[] right, int length) {
        double total = 0;
        for (int lane = 0; lane < LANES; lane++) {
            float sum = 0;
            for (int i = lane; i < length; i += LANES) {
                sum += left[i] * right[i];
            }
            total += sum;
        }
        return total;
    }

    @Override
    public void markAbove(
            float[] values, int length, float threshold, long[] words, int firstWord) {
        for (int from = 0; from < length; from += STRIDE) {
            long word = 0;
            for (int i = 0; i < STRIDE; i++) {
                word |= (Math.abs(values[from + i]) > threshold ? 1L : 0L) << i;
            }
            words[firstWord + from / STRIDE] = word;
        }
    }

    @Override
    public int compress(float[] values, int length, long[] words, int firstWord, float[] target) {
        int count = 0;
        for (int from = 0; from < length; from += STRIDE) {
            for (long rest = words[firstWord + from / STRIDE]; rest != 0; rest &= rest - 1) {
                target[count++] = values[from + Long.numberOfTrailingZeros(rest)];
            }
        }
        return count;
    }

    @Override
    public void markNegative(float[] values, int length, long[] words, int firstWord) {
        for (int from = 0; from < length; from += STRIDE) {
            long word = 0;
            for (int i = 0; i < STRIDE; i++) {
                word |= (values[from + i] < 0 ? 1L : 0L) << i;
            }
            words[firstWord + from / STRIDE] = word;
        }
    }

    @Override
    public void spreadSigns(long[] words, float magnitude, float[] values, int length) {
        for (int i = 0; i < length; i++) {
            values[i] = (words[i / STRIDE] >>> i & 1) == 0 ? magnitude : -magnitude;
        }
    }

    @Override
    public void quantize(
            float[] values, int length, float scale, int levels, long key, int first, int[] codes) {
        int low = UniformRandom.low(key);
        int high = UniformRandom.high(key);
        for (int i = 0; i < length; i++) {
            float scaled = Math.abs(values[i]) * scale;
            int below = (int) scaled;
            int rounded =
                    UniformRandom.at(first + i, low, high) < scaled - below ? below + 1 : below;
            int level = Math.min(levels, rounded);
            codes[i] = levels + (values[i] < 0 ? -level : level);
        }
    }
}
