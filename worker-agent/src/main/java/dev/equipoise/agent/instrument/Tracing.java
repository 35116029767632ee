package dev.equipoise.agent.instrument;

import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.function.Consumer;

/** Reports the time slices of one rank if the plan asks for a trace. One thread uses it. */
public final class Tracing {

    private static final int MAX_OF_AN_EPOCH = 100_000;
    private static final long MAX_OF_A_RUN = 10_000_000;

    private final boolean isWanted;
    private final Row main;
    private final Row background;

    public Tracing(TrainingPlan plan, int rank) {
        this.isWanted = plan.observation().trace();
        this.main = new Row(rank, Strand.MAIN);
        this.background = new Row(rank, Strand.BACKGROUND);
    }

    /**
     * Returns how many slices of an epoch each thread of a rank keeps, so that those of the run
     * stay within its limit.
     */
    public static int mostSlices(TrainingPlan plan) {
        long strands = (long) Strand.values().length * plan.division().ranks();
        return plan.observation().trace()
                ? (int) Math.min(MAX_OF_AN_EPOCH, MAX_OF_A_RUN / (strands * plan.epochs()))
                : 0;
    }

    /**
     * Reports the slices of an epoch.
     *
     * @param timestamps timestamps, which have settled the epoch
     */
    public void report(
            int epoch,
            Instruments instruments,
            ReadyTimestamps timestamps,
            Consumer<RunReport> listener) {
        if (isWanted) {
            main.report(epoch, instruments.slices(), timestamps, listener);
            background.report(epoch, instruments.hiddenSlices(), timestamps, listener);
        }
    }

    /** Trace row of one thread of the rank. */
    private static final class Row {

        private final int rank;
        private final Strand strand;

        /** End of the latest slice, on the common clock. */
        private long last = Long.MIN_VALUE;

        private Row(int rank, Strand strand) {
            this.rank = rank;
            this.strand = strand;
        }

        private void report(
                int epoch, SliceLog log, ReadyTimestamps timestamps, Consumer<RunReport> listener) {
            List<TraceSlice> slices = log.toList();
            if (slices.isEmpty()) {
                if (log.dropped() > 0) {
                    listener.accept(traced(epoch, slices, 0, log.dropped()));
                }
                return;
            }
            long shift = shift(slices, timestamps);
            for (int from = 0; from < slices.size(); from += Traced.MOST_SLICES) {
                int to = Math.min(slices.size(), from + Traced.MOST_SLICES);
                long dropped = to == slices.size() ? log.dropped() : 0;
                listener.accept(traced(epoch, slices.subList(from, to), shift, dropped));
            }
        }

        /**
         * Returns the offset from the rank's clock to the common one. Each epoch compares the
         * clocks again, with some error; an epoch never begins before the end of the last one.
         */
        private long shift(List<TraceSlice> slices, ReadyTimestamps timestamps) {
            long first = slices.getFirst().begun();
            long shift = Math.max(timestamps.common(first), last) - first;
            last = slices.getLast().ended() + shift;
            return shift;
        }

        private Traced traced(int epoch, List<TraceSlice> slices, long shift, long dropped) {
            return new Traced(
                    rank,
                    epoch,
                    strand,
                    slices.stream().map(slice -> phase(slice.phase())).toList(),
                    slices.stream().map(slice -> slice.begun() + shift).toList(),
                    slices.stream().map(slice -> slice.ended() - slice.begun()).toList(),
                    dropped);
        }

        private static RunReport.Phase phase(Phase phase) {
            return switch (phase) {
                case COMPUTE -> RunReport.Phase.COMPUTE;
                case ENCODE -> RunReport.Phase.ENCODE;
                case TRANSFER -> RunReport.Phase.TRANSFER;
                case WAIT -> RunReport.Phase.WAIT;
                case APPLY -> RunReport.Phase.APPLY;
            };
        }
    }
}
