package dev.equipoise.agent.network;

/**
 * SplitMix64 random generator (Steele, Lea and Flood, 2014) whose state can be saved and restored.
 */
final class SplitMix64 {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final int UNUSED_BITS = 40;
    private static final float UNIT = 0x1p-24f;

    private long state;

    SplitMix64(long state) {
        this.state = state;
    }

    /** Returns the start state of a stream, far from those of other seeds and streams. */
    static long start(long seed, int stream) {
        return mix(mix(seed) + stream);
    }

    long state() {
        return state;
    }

    void resume(long newState) {
        state = newState;
    }

    /** Draws from [0, 1), in multiples of 2^-24. */
    float uniform() {
        state += GOLDEN_GAMMA;
        return (mix(state) >>> UNUSED_BITS) * UNIT;
    }

    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
