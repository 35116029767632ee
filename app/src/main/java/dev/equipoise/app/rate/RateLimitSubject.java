package dev.equipoise.app.rate;

/** A caller whose requests are counted together for rate limits. */
public interface RateLimitSubject {

    /** A key that is equal for all requests that count together, and different for all others. */
    String countedAs();
}
