package dev.equipoise.agent.codec;

/**
 * Selects the elements above a magnitude, and the first few that equal it.
 *
 * @param magnitude finite, at least 0
 * @param ties how many of the elements that equal the magnitude are selected
 */
record MagnitudeThreshold(float magnitude, int ties) {

    static MagnitudeThreshold above(float magnitude) {
        return new MagnitudeThreshold(magnitude, 0);
    }

    /**
     * Returns a threshold that selects all elements of at least this magnitude, but never zeros.
     */
    MagnitudeThreshold withAllTies() {
        return above(Math.max(0, Math.nextDown(magnitude)));
    }
}
