package dev.equipoise.app.rate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How often may be asked, of one instance of the service.
 *
 * @param user a person, with all their tokens, or a token that stands for itself
 * @param agent one worker
 * @param signIn attempts for one name, and from one address
 */
@ConfigurationProperties("equipoise.rate")
record RateSettings(
        @DefaultValue Limit user, @DefaultValue Limit agent, @DefaultValue SignInLimit signIn) {

    /** A bucket counts in nanoseconds, of which each brings one permit at most. */
    private static final long MOST = 1_000_000_000;

    RateSettings {
        require("user.burst", user.burst());
        require("user.per-second", user.perSecond());
        require("agent.burst", agent.burst());
        require("agent.per-second", agent.perSecond());
        require("sign-in.attempts", signIn.attempts());
        if (signIn.period().compareTo(SignInLimit.SHORTEST) < 0
                || signIn.period().compareTo(SignInLimit.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "equipoise.rate.sign-in.period must be from %s to %s, but was %s"
                            .formatted(SignInLimit.SHORTEST, SignInLimit.LONGEST, signIn.period()));
        }
    }

    private static void require(String name, long value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(
                    "equipoise.rate.%s must be from 1 to %d, but was %d"
                            .formatted(name, MOST, value));
        }
    }

    /**
     * Requests.
     *
     * @param burst at once, after a rest
     * @param perSecond in the long run
     */
    record Limit(@DefaultValue("300") long burst, @DefaultValue("100") long perSecond) {}

    /**
     * Attempts.
     *
     * @param attempts at once, and as many again in each period
     */
    record SignInLimit(@DefaultValue("10") long attempts, @DefaultValue("1m") Duration period) {

        private static final Duration SHORTEST = Duration.ofSeconds(1);
        private static final Duration LONGEST = Duration.ofDays(1);
    }
}
