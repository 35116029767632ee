package dev.equipoise.app.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** A bucket of permits for everybody who asks; this instance's own, and forgotten when unused. */
@Component
public class RateLimits {

    private static final int MOST_KNOWN = 100_000;
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    private final LoadingCache<Key, Bucket> buckets;

    RateLimits(RateSettings settings) {
        this.buckets =
                Caffeine.newBuilder()
                        .maximumSize(MOST_KNOWN)
                        .expireAfterAccess(FORGOTTEN)
                        .build(key -> bucket(key.kind(), settings));
    }

    enum Kind {
        USER,
        AGENT,
        SIGN_IN
    }

    private record Key(Kind kind, String who) {}

    private static Bucket bucket(Kind kind, RateSettings settings) {
        return switch (kind) {
            case USER -> bucket(settings.user());
            case AGENT -> bucket(settings.agent());
            case SIGN_IN ->
                    Bucket.builder()
                            .addLimit(limit ->
                                    limit.capacity(settings.signIn().attempts())
                                            .refillGreedy(
                                                    settings.signIn().attempts(),
                                                    settings.signIn().period()))
                            .build();
        };
    }

    private static Bucket bucket(RateSettings.Limit settings) {
        return Bucket.builder()
                .addLimit(limit ->
                        limit.capacity(settings.burst())
                                .refillGreedy(settings.perSecond(), Duration.ofSeconds(1)))
                .build();
    }

    /**
     * What became of a request for a permit.
     *
     * @param left permits that may be taken at once
     * @param refill until there is one; nothing where there was
     */
    record Permit(boolean isGiven, long left, Duration refill) {

        /** As {@code Retry-After} has it. */
        long waitSeconds() {
            return Math.max(1, refill.plusMillis(999).toSeconds());
        }
    }

    Permit ask(Kind kind, String who) {
        ConsumptionProbe probe = buckets.get(new Key(kind, who)).tryConsumeAndReturnRemaining(1);
        return new Permit(
                probe.isConsumed(),
                probe.getRemainingTokens(),
                Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /**
     * Counts an attempt to sign in.
     *
     * @param who the name or address that it is counted for
     * @throws Problem {@code rate-limited} where there were too many
     */
    public void attemptSignIn(String who) {
        Permit permit = ask(Kind.SIGN_IN, who.toLowerCase(Locale.ROOT));
        if (!permit.isGiven()) {
            throw Problem.of(
                            ErrorCode.RATE_LIMITED,
                            "There were too many attempts to sign in: try again in %d s"
                                    .formatted(permit.waitSeconds()))
                    .retryAfter(permit.waitSeconds());
        }
    }
}
