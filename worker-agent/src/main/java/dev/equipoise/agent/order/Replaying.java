package dev.equipoise.agent.order;

import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Strand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Execution order that replays the recorded choices of a rank. */
public final class Replaying implements ExecutionOrder {

    private final Choices main;
    private final Choices background;

    public Replaying(int rank) {
        this.main = new Choices(rank, Strand.MAIN);
        this.background = new Choices(rank, Strand.BACKGROUND);
    }

    /**
     * Adds recorded choices, before the first choice of the replay, in the order in which the rank
     * reported them.
     */
    public void add(Decided decided) {
        of(decided.strand()).add(decided);
    }

    @Override
    public Choices of(Strand strand) {
        return strand == Strand.MAIN ? main : background;
    }

    @Override
    public void end(int epoch, Consumer<RunReport> listener) {
        main.end(epoch);
        background.end(epoch);
    }

    /** The choices of one thread; between its epochs the rank's main thread advances them. */
    static final class Choices implements ChoiceSource {

        private static final int INITIAL_CAPACITY = 64;

        private final int rank;
        private final Strand strand;

        /** The choices of all epochs, in order. */
        private int[] choices = new int[INITIAL_CAPACITY];

        /** The end index of each epoch's choices, except for the last epoch that has any. */
        private final List<Integer> ends = new ArrayList<>();

        private int count;
        private int epoch = 1;
        private int next;

        private Choices(int rank, Strand strand) {
            this.rank = rank;
            this.strand = strand;
        }

        private void add(Decided decided) {
            while (ends.size() < decided.epoch() - 1) {
                ends.add(count);
            }
            int needed = count + decided.choices().size();
            if (needed > choices.length) {
                choices = Arrays.copyOf(choices, Math.max(needed, 2 * choices.length));
            }
            for (int choice : decided.choices()) {
                choices[count] = choice;
                count++;
            }
        }

        @Override
        public int choose(IntSupplier free) {
            if (next == end()) {
                throw divergence("more");
            }
            int choice = choices[next];
            next++;
            return choice;
        }

        private int end() {
            return epoch <= ends.size() ? ends.get(epoch - 1) : count;
        }

        private void end(int endedEpoch) {
            if (next < end()) {
                throw divergence("fewer");
            }
            epoch = endedEpoch + 1;
        }

        private ReplayDivergence divergence(String comparison) {
            return new ReplayDivergence(
                    ("rank %d makes %s decisions in epoch %d than were recorded (%s thread): its"
                                    + " configuration or version differs from the recorded run's")
                            .formatted(rank, comparison, epoch, strand));
        }
    }
}
