package dev.equipoise.app.rate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Request rates that one instance of the service allows.
 *
 * @param user limit of a user with all tokens of the user, or of a service account token
 * @param agent limit of one worker
 * @param signIn limit of the attempts for one name, and of those from one address
 */
@ConfigurationProperties("equipoise.rate")
record RateSettings(
        @DefaultValue Limit user, @DefaultValue Limit agent, @DefaultValue SignInLimit signIn) {

    /** The largest value: a bucket counts in nanoseconds, and each brings at most one permit. */
    private static final long MAXIMUM = 1_000_000_000;

    RateSettings {
        require("user.burst", user.burst());
        require("user.per-second", user.perSecond());
        require("agent.burst", agent.burst());
        require("agent.per-second", agent.perSecond());
        require("sign-in.attempts", signIn.attempts());
        if (signIn.period().compareTo(SignInLimit.MIN) < 0
                || signIn.period().compareTo(SignInLimit.MAX) > 0) {
            throw new IllegalArgumentException(
                    "equipoise.rate.sign-in.period must be from %s to %s, but was %s"
                            .formatted(SignInLimit.MIN, SignInLimit.MAX, signIn.period()));
        }
    }

    private static void require(String name, long value) {
        if (value < 1 || value > MAXIMUM) {
            throw new IllegalArgumentException(
                    "equipoise.rate.%s must be from 1 to %d, but was %d"
                            .formatted(name, MAXIMUM, value));
        }
    }

    /**
     * Limit of requests.
     *
     * @param burst requests at once, after a pause
     * @param perSecond requests per second in the long run
     */
    record Limit(@DefaultValue("300") long burst, @DefaultValue("100") long perSecond) {}

    /**
     * Limit of attempts to sign in.
     *
     * @param attempts at once, and refilled over each period
     */
    record SignInLimit(@DefaultValue("10") long attempts, @DefaultValue("1m") Duration period) {

        private static final Duration MIN = Duration.ofSeconds(1);
        private static final Duration MAX = Duration.ofDays(1);
    }
}
