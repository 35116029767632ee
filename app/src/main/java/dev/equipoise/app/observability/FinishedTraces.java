package dev.equipoise.app.observability;

import dev.equipoise.app.computing.ComputeThread;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunTimeline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/** Exports the trace of each run after its end, in a thread of its own. */
@Component
class FinishedTraces implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(FinishedTraces.class);

    /** Limit of the waiting runs; the traces of others are not exported. */
    private static final int MAX_WAITING = 1_000;

    private final ComputeThread thread = new ComputeThread("exporting traces", MAX_WAITING);
    private final RunTimeline runs;
    private final RunTraces traces;

    FinishedTraces(RunTimeline runs, RunTraces traces) {
        this.runs = runs;
        this.traces = traces;
    }

    @TransactionalEventListener
    void on(RunEnded ended) {
        if (traces.areEnabled()) {
            attempt(ended, () -> thread.start(() -> attempt(ended, () -> export(ended))));
        }
    }

    private void export(RunEnded ended) {
        runs.of(ended.run()).ifPresent(traces::export);
    }

    /** Logs a failure: a run is complete without its trace. */
    private static void attempt(RunEnded ended, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            log.warn("trace of run {} cannot be exported: {}", ended.run(), failure.toString());
        }
    }

    @Override
    public void destroy() {
        thread.close();
    }
}
