package dev.equipoise.agent.instrument;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.AgentEvent.Traced;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.function.Consumer;

/** Tells, where the plan asks for it, of every slice of one rank's time. One thread uses it. */
public final class Tracing {

    private static final int MOST_OF_AN_EPOCH = 100_000;
    private static final long MOST_OF_A_RUN = 10_000_000;

    private final boolean isWanted;
    private final Row main;
    private final Row background;

    public Tracing(TrainingPlan plan, int rank) {
        this.isWanted = plan.observation().trace();
        this.main = new Row(rank, Strand.MAIN);
        this.background = new Row(rank, Strand.BACKGROUND);
    }

    /** How many slices of an epoch each thread of a rank keeps, so that all the run's have room. */
    public static int mostSlices(TrainingPlan plan) {
        long strands = (long) Strand.values().length * plan.division().ranks();
        return plan.observation().trace()
                ? (int) Math.min(MOST_OF_AN_EPOCH, MOST_OF_A_RUN / (strands * plan.epochs()))
                : 0;
    }

    /**
     * Tells of an epoch.
     *
     * @param stamps which have settled it
     */
    public void tell(
            int epoch, Instruments instruments, Stamps stamps, Consumer<AgentEvent> listener) {
        if (isWanted) {
            main.tell(epoch, instruments.slices(), stamps, listener);
            background.tell(epoch, instruments.hiddenSlices(), stamps, listener);
        }
    }

    /** What one of the rank's threads did. */
    private static final class Row {

        private final int rank;
        private final Strand strand;

        /** When the latest slice ended. */
        private long last = Long.MIN_VALUE;

        private Row(int rank, Strand strand) {
            this.rank = rank;
            this.strand = strand;
        }

        private void tell(int epoch, SliceLog log, Stamps stamps, Consumer<AgentEvent> listener) {
            List<Slice> slices = log.toList();
            if (slices.isEmpty()) {
                if (log.dropped() > 0) {
                    listener.accept(traced(epoch, slices, 0, log.dropped()));
                }
                return;
            }
            long shift = shift(slices, stamps);
            for (int from = 0; from < slices.size(); from += Traced.MOST_SLICES) {
                int to = Math.min(slices.size(), from + Traced.MOST_SLICES);
                long dropped = to == slices.size() ? log.dropped() : 0;
                listener.accept(traced(epoch, slices.subList(from, to), shift, dropped));
            }
        }

        /**
         * From the own clock to the common one. Clocks are compared anew every epoch, as well as
         * that goes; an epoch does not begin before the last one is over for that.
         */
        private long shift(List<Slice> slices, Stamps stamps) {
            long first = slices.getFirst().begun();
            long shift = Math.max(stamps.common(first), last) - first;
            last = slices.getLast().ended() + shift;
            return shift;
        }

        private Traced traced(int epoch, List<Slice> slices, long shift, long dropped) {
            return new Traced(
                    rank,
                    epoch,
                    strand,
                    slices.stream().map(slice -> told(slice.phase())).toList(),
                    slices.stream().map(slice -> slice.begun() + shift).toList(),
                    slices.stream().map(slice -> slice.ended() - slice.begun()).toList(),
                    dropped);
        }

        private static AgentEvent.Phase told(Phase phase) {
            return switch (phase) {
                case COMPUTE -> AgentEvent.Phase.COMPUTE;
                case ENCODE -> AgentEvent.Phase.ENCODE;
                case TRANSFER -> AgentEvent.Phase.TRANSFER;
                case WAIT -> AgentEvent.Phase.WAIT;
                case APPLY -> AgentEvent.Phase.APPLY;
            };
        }
    }
}
