package dev.equipoise.launcher.client;

import dev.equipoise.launcher.UsageError;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that limits the life of a token. */
final class Expiry {

    private static final int MAX_DAYS = 36_500;

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "days until the token expires (default: as the service has it)")
    private @Nullable Integer days;

    boolean isGiven() {
        return days != null;
    }

    /** Adds the time at which the token expires, if the option is given. */
    void addTo(Map<String, Object> wanted) {
        if (days == null) {
            return;
        }
        if (days < 1 || days > MAX_DAYS) {
            throw new UsageError(
                    "--days must be from 1 to %d, but was %d".formatted(MAX_DAYS, days));
        }
        wanted.put("expiresAt", Instant.now().plus(Duration.ofDays(days)).toString());
    }
}
