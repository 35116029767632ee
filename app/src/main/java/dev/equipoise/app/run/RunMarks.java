package dev.equipoise.app.run;

import org.slf4j.MDC;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What is logged while a run is held, by whomsoever, has its id and generation as fields where logs
 * have fields.
 */
final class RunMarks implements TransactionSynchronization {

    private static final String RUN = "run";
    private static final String GENERATION = "generation";
    private static final RunMarks UNTIL_OVER = new RunMarks();

    private RunMarks() {}

    /** From now on, until the transaction is over; the caller holds the run. */
    static void mark(Run run) {
        if (MDC.get(RUN) == null) {
            TransactionSynchronizationManager.registerSynchronization(UNTIL_OVER);
        }
        MDC.put(RUN, run.id().toString());
        MDC.put(GENERATION, Integer.toString(run.generation()));
    }

    @Override
    public void afterCompletion(int status) {
        MDC.remove(RUN);
        MDC.remove(GENERATION);
    }
}
