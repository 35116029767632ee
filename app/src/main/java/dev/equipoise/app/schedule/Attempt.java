package dev.equipoise.app.schedule;

import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * One step of a duty. What somebody else changed at the same moment is looked at again the next
 * time; what fails otherwise must not hold up the rest.
 */
final class Attempt {

    private static final Logger log = LoggerFactory.getLogger(Attempt.class);

    private Attempt() {}

    static void run(Runnable step) {
        at(() -> {
            step.run();
            return true;
        });
    }

    /** False also where it failed. */
    static boolean at(BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (ConcurrencyFailureException conflict) {
            log.debug("changed meanwhile: {}", conflict.getMessage());
        } catch (RuntimeException failure) {
            log.error("duty failed", failure);
        }
        return false;
    }
}
