package dev.equipoise.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Timeouts of tests for events that must happen. A passing test never waits that long, so the limit
 * is generous: a machine may be three times slower than another, and busy.
 *
 * <p>JUnit registers this class as a session listener, which makes the limit Awaitility's default.
 */
public final class Patience implements LauncherSessionListener {

    /** Limit for annotations, in seconds: {@code @Timeout(Patience.SECONDS)}. */
    public static final long SECONDS = 120;

    public static final Duration PATIENCE = Duration.ofSeconds(SECONDS);

    /** Limit for a whole training run of real processes. */
    public static final Duration FOR_A_RUN = PATIENCE.multipliedBy(5);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
