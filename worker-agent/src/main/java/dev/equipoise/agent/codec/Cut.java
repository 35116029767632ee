package dev.equipoise.agent.codec;

/**
 * Which elements are sent: those above a magnitude, and the first few that just reach it.
 *
 * @param magnitude finite, at least 0
 * @param ties how many of those that are equal to it
 */
record Cut(float magnitude, int ties) {

    static Cut above(float magnitude) {
        return new Cut(magnitude, 0);
    }

    /** The same, without counting ties; zeros do not reach anything. */
    Cut withAllTies() {
        return above(Math.max(0, Math.nextDown(magnitude)));
    }
}
