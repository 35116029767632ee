package dev.equipoise.app.dispatch;

import dev.equipoise.app.problem.DatabaseFailureLog;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * Runs one step of a scheduled task. A failure never prevents the following steps: the next run of
 * the task retries a step that met a concurrent change, and other failures are logged as errors,
 * those of the database once.
 */
public final class BestEffort {

    private static final Logger log = LoggerFactory.getLogger(BestEffort.class);

    private BestEffort() {}

    public static void run(Runnable step) {
        call(() -> {
            step.run();
            return true;
        });
    }

    /** The result of the step; false if it failed. */
    public static boolean call(BooleanSupplier step) {
        try {
            boolean result = step.getAsBoolean();
            DatabaseFailureLog.checkEnds();
            return result;
        } catch (ConcurrencyFailureException conflict) {
            log.debug("step met a concurrent change: {}", conflict.getMessage());
        } catch (RuntimeException failure) {
            if (DatabaseFailureLog.report(failure).isEmpty()) {
                log.error("step of a scheduled task failed", failure);
            }
        }
        return false;
    }
}
