package dev.equipoise.agent.training;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reports every second how long a rank has been in its rendezvous. By the answers the agent learns
 * that the service has revoked the assignment, as the run was canceled or continues with other
 * ranks; the revocation interrupts the rendezvous.
 */
final class RendezvousReports implements AutoCloseable {

    private static final long INTERVAL_SECONDS = 1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("rendezvous-reports").daemon().factory());

    private RendezvousReports() {}

    /** Starts the reports of a rank; the caller reports nothing until it closes them. */
    static RendezvousReports start(int rank, Consumer<RunReport> events, Time time) {
        var reports = new RendezvousReports();
        long start = time.nanoTime();
        var _ =
                reports.timer.scheduleAtFixedRate(
                        () -> events.accept(elapsed(rank, time.nanoTime() - start)),
                        INTERVAL_SECONDS,
                        INTERVAL_SECONDS,
                        TimeUnit.SECONDS);
        return reports;
    }

    private static RunReport elapsed(int rank, long nanos) {
        double seconds = nanos / NANOS_PER_SECOND;
        return new RunReport.PhasesElapsed(
                rank, seconds, new RunPhases(seconds, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    /** Waits until no report is under way. */
    @Override
    public void close() {
        timer.shutdownNow();
        timer.close();
    }
}
