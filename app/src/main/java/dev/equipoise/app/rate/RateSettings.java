package dev.equipoise.app.rate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Request rates that one instance of the service allows.
 *
 * @param user limit of a user with all tokens of the user, or of a service account token
 * @param agent limit of one worker
 * @param signIn limit of the attempts from one network, and of those for one name from it
 * @param signInName limit of the attempts for one name from all networks together
 */
@ConfigurationProperties("equipoise.rate")
record RateSettings(
        @DefaultValue Limit user,
        @DefaultValue Limit agent,
        @DefaultValue SignInLimit signIn,
        @DefaultValue SignInNameLimit signInName) {

    /** The largest value: a bucket counts in nanoseconds, and each brings at most one permit. */
    private static final long MAXIMUM = 1_000_000_000;

    private static final Duration MIN_PERIOD = Duration.ofSeconds(1);
    private static final Duration MAX_PERIOD = Duration.ofDays(1);

    RateSettings {
        require("user.burst", user.burst());
        require("user.per-second", user.perSecond());
        require("agent.burst", agent.burst());
        require("agent.per-second", agent.perSecond());
        require("sign-in.attempts", signIn.attempts());
        require("sign-in.period", signIn.period());
        require("sign-in-name.attempts", signInName.attempts());
        require("sign-in-name.period", signInName.period());
    }

    private static void require(String name, long value) {
        if (value < 1 || value > MAXIMUM) {
            throw new IllegalArgumentException(
                    "equipoise.rate.%s must be from 1 to %d, but was %d"
                            .formatted(name, MAXIMUM, value));
        }
    }

    private static void require(String name, Duration period) {
        if (period.compareTo(MIN_PERIOD) < 0 || period.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "equipoise.rate.%s must be from %s to %s, but was %s"
                            .formatted(name, MIN_PERIOD, MAX_PERIOD, period));
        }
    }

    /** Returns the longer of the periods: a bucket that lived shorter would be full too early. */
    Duration longestPeriod() {
        return signIn.period().compareTo(signInName.period()) > 0
                ? signIn.period()
                : signInName.period();
    }

    /**
     * Limit of requests.
     *
     * @param burst requests at once, after a pause; from 1 to 1000000000
     * @param perSecond requests per second in the long run, from 1 to 1000000000
     */
    record Limit(@DefaultValue("300") long burst, @DefaultValue("100") long perSecond) {}

    /**
     * Limit of attempts to sign in.
     *
     * @param attempts attempts at once, which each period refills; from 1 to 1000000000
     * @param period time in which the attempts are refilled, from 1s to 1d
     */
    record SignInLimit(@DefaultValue("10") long attempts, @DefaultValue("1m") Duration period) {}

    /**
     * Limit of attempts to sign in with one name. It is slow, since an attacker with many addresses
     * is limited by it alone, and generous, since an attacker who exhausts it locks out the user.
     *
     * @param attempts attempts at once, which each period refills; from 1 to 1000000000
     * @param period time in which the attempts are refilled, from 1s to 1d
     */
    record SignInNameLimit(
            @DefaultValue("100") long attempts, @DefaultValue("1h") Duration period) {}
}
