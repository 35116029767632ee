package dev.equipoise.app.run;

import org.slf4j.MDC;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Adds the id and generation of a locked run to the log context (MDC) of its transaction, where
 * structured logs show them as fields.
 */
final class RunLogContext implements TransactionSynchronization {

    private static final String RUN = "run";
    private static final String GENERATION = "generation";
    private static final RunLogContext UNTIL_COMPLETION = new RunLogContext();

    private RunLogContext() {}

    /** Adds the fields until the transaction ends. The caller has locked the run. */
    static void mark(Run run) {
        if (MDC.get(RUN) == null) {
            TransactionSynchronizationManager.registerSynchronization(UNTIL_COMPLETION);
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
