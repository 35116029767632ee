package dev.equipoise.agent.training;

import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.RunReport;
import java.util.Locale;
import java.util.function.Consumer;

/** Notes when a rank starts or stops waiting for its peers for most of an epoch. */
final class StragglerMonitor implements Consumer<RunReport> {

    /** Fraction of an epoch above which waiting is noted. */
    private static final double THRESHOLD = 0.5;

    private final RunNotes notes;
    private boolean isWaiting;

    StragglerMonitor(RunNotes notes) {
        this.notes = notes;
    }

    @Override
    public void accept(RunReport event) {
        if (event instanceof EpochFinished finished) {
            double seconds = finished.phases().waitSeconds();
            boolean waitsNow = seconds > THRESHOLD * finished.wallSeconds();
            if (waitsNow != isWaiting) {
                notes.tell(
                        String.format(
                                Locale.ROOT,
                                "waits for its peers for %s: %.3f of the %.3f s of epoch %d",
                                waitsNow ? "most of the time" : "less than half of the time",
                                seconds,
                                finished.wallSeconds(),
                                finished.epoch()));
            }
            isWaiting = waitsNow;
        }
    }
}
