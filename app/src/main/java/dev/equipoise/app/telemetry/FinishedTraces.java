package dev.equipoise.app.telemetry;

import dev.equipoise.app.computing.ComputingThread;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunHistory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/** Tells the trace of a run once it is over, in a thread of its own. */
@Component
class FinishedTraces implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(FinishedTraces.class);

    /** Those beyond are not told. */
    private static final int MOST_WAITING = 1_000;

    private final ComputingThread thread = new ComputingThread("telling traces", MOST_WAITING);
    private final RunHistory runs;
    private final RunTraces traces;

    FinishedTraces(RunHistory runs, RunTraces traces) {
        this.runs = runs;
        this.traces = traces;
    }

    @TransactionalEventListener
    void on(RunEnded over) {
        if (traces.areWanted()) {
            attempt(over, () -> thread.start(() -> attempt(over, () -> tell(over))));
        }
    }

    private void tell(RunEnded over) {
        runs.of(over.run()).ifPresent(traces::tell);
    }

    /** No run is worse off without. */
    private static void attempt(RunEnded over, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            log.warn("run {} is not traced: {}", over.run(), failure.toString());
        }
    }

    @Override
    public void destroy() {
        thread.close();
    }
}
