package dev.equipoise.app.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderCapacityStage;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Token buckets, one for each caller. Each instance of the service has its own, and discards unused
 * ones.
 */
@Component
public class RateLimits {

    private static final int MAX_BUCKETS = 100_000;
    private static final Duration UNUSED_LIFETIME = Duration.ofMinutes(10);

    private final RateSettings settings;
    private final LoadingCache<Key, Bucket> buckets;

    @Autowired
    RateLimits(RateSettings settings) {
        this(settings, TimeMeter.SYSTEM_MILLISECONDS);
    }

    RateLimits(RateSettings settings, TimeMeter time) {
        this.settings = settings;
        this.buckets =
                Caffeine.newBuilder()
                        .maximumSize(MAX_BUCKETS)
                        .expireAfterAccess(lifetime(settings))
                        .build(key -> bucket(key.kind(), settings, time));
    }

    /** A bucket may be discarded once it is full again. */
    private static Duration lifetime(RateSettings settings) {
        Duration longest = settings.longestPeriod();
        return longest.compareTo(UNUSED_LIFETIME) > 0 ? longest : UNUSED_LIFETIME;
    }

    enum Kind {
        USER,
        AGENT,
        SIGN_IN,
        SIGN_IN_NAME
    }

    private record Key(Kind kind, String subject) {}

    private static Bucket bucket(Kind kind, RateSettings settings, TimeMeter time) {
        return Bucket.builder()
                .withCustomTimePrecision(time)
                .addLimit(limit -> limit(kind, settings, limit))
                .build();
    }

    private static BandwidthBuilderBuildStage limit(
            Kind kind, RateSettings settings, BandwidthBuilderCapacityStage limit) {
        return switch (kind) {
            case USER -> limit(settings.user(), limit);
            case AGENT -> limit(settings.agent(), limit);
            case SIGN_IN -> limit(settings.signIn().attempts(), settings.signIn().period(), limit);
            case SIGN_IN_NAME ->
                    limit(settings.signInName().attempts(), settings.signInName().period(), limit);
        };
    }

    private static BandwidthBuilderBuildStage limit(
            long attempts, Duration period, BandwidthBuilderCapacityStage limit) {
        return limit.capacity(attempts).refillGreedy(attempts, period);
    }

    private static BandwidthBuilderBuildStage limit(
            RateSettings.Limit settings, BandwidthBuilderCapacityStage limit) {
        return limit.capacity(settings.burst())
                .refillGreedy(settings.perSecond(), Duration.ofSeconds(1));
    }

    /**
     * A limit as clients see it.
     *
     * @param name of the policy
     * @param quota permits of a full bucket
     * @param window time in which an empty bucket becomes full
     */
    record Policy(String name, long quota, Duration window) {

        private static Policy of(Kind kind, RateSettings settings) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            return switch (kind) {
                case USER -> of(name, settings.user());
                case AGENT -> of(name, settings.agent());
                case SIGN_IN ->
                        new Policy(name, settings.signIn().attempts(), settings.signIn().period());
                case SIGN_IN_NAME ->
                        new Policy(
                                name,
                                settings.signInName().attempts(),
                                settings.signInName().period());
            };
        }

        private static Policy of(String name, RateSettings.Limit limit) {
            long nanos = limit.burst() * Duration.ofSeconds(1).toNanos() / limit.perSecond();
            return new Policy(name, limit.burst(), Duration.ofNanos(nanos));
        }

        /** Returns the value of {@code RateLimit-Policy}: quota, and window in whole seconds. */
        String header() {
            return "\"%s\";q=%d;w=%d".formatted(name, quota, wholeSeconds(window));
        }
    }

    /**
     * The answer to a request for a permit.
     *
     * @param left permits that are available now
     * @param refill time until the next permit; zero if this one was given
     * @param reset time until the bucket is full
     */
    record Permit(boolean isGiven, long left, Duration refill, Duration reset, Policy policy) {

        /** Returns the wait in whole seconds, at least 1, for {@code Retry-After}. */
        long waitSeconds() {
            return wholeSeconds(refill);
        }

        /**
         * Returns the value of {@code RateLimit}: the permits that are left, and the seconds until
         * all are available again; without a permit, those of {@code Retry-After}.
         */
        String header() {
            return "\"%s\";r=%d;t=%d"
                    .formatted(policy.name(), left, isGiven ? wholeSeconds(reset) : waitSeconds());
        }
    }

    /** Rounds up to whole seconds, at least 1. */
    private static long wholeSeconds(Duration time) {
        return Math.max(1, time.plusMillis(999).toSeconds());
    }

    Permit ask(Kind kind, String subject) {
        ConsumptionProbe probe =
                buckets.get(new Key(kind, subject)).tryConsumeAndReturnRemaining(1);
        return new Permit(
                probe.isConsumed(),
                probe.getRemainingTokens(),
                Duration.ofNanos(probe.getNanosToWaitForRefill()),
                Duration.ofNanos(probe.getNanosToWaitForReset()),
                Policy.of(kind, settings));
    }

    /**
     * Counts an attempt to sign in.
     *
     * @param who the name or address for which it counts
     * @throws Problem {@code rate-limited} if there were too many attempts
     */
    public void attemptSignIn(String who) {
        attempt(Kind.SIGN_IN, who);
    }

    /**
     * Counts an attempt to sign in with a name, from whatever address, so that an attacker with
     * many addresses cannot try many passwords. Call it last: attempts that the other limits reject
     * do not count here.
     *
     * @throws Problem {@code rate-limited} if there were too many attempts
     */
    public void attemptSignInAs(String name) {
        attempt(Kind.SIGN_IN_NAME, name);
    }

    private void attempt(Kind kind, String who) {
        Permit permit = ask(kind, who.toLowerCase(Locale.ROOT));
        if (!permit.isGiven()) {
            throw Problem.of(
                            ErrorCode.RATE_LIMITED,
                            "Too many attempts to sign in: try again in %d s"
                                    .formatted(permit.waitSeconds()))
                    .retryAfter(permit.waitSeconds());
        }
    }
}
