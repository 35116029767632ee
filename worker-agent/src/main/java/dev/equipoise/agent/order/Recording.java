package dev.equipoise.agent.order;

import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.TrainingPlan;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Execution order that chooses freely and reports the choices after each epoch. */
final class Recording implements ExecutionOrder {

    private static final int MAX_CHOICES_PER_RUN = 40_000_000;

    private final int rank;
    private final Choices main;
    private final Choices background;

    public Recording(TrainingPlan plan, int rank) {
        this(rank, MAX_CHOICES_PER_RUN / plan.division().ranks());
    }

    /**
     * @param limit largest number of choices of a thread in all epochs
     */
    Recording(int rank, int limit) {
        this.rank = rank;
        this.main = new Choices(rank, limit);
        this.background = new Choices(rank, limit);
    }

    @Override
    public ChoiceSource of(Strand strand) {
        return strand == Strand.MAIN ? main : background;
    }

    @Override
    public void end(int epoch, Consumer<RunReport> listener) {
        report(epoch, Strand.MAIN, main.take(), listener);
        report(epoch, Strand.BACKGROUND, background.take(), listener);
    }

    private void report(
            int epoch, Strand strand, List<Integer> choices, Consumer<RunReport> listener) {
        for (int from = 0; from < choices.size(); from += Decided.MOST_CHOICES) {
            int to = Math.min(choices.size(), from + Decided.MOST_CHOICES);
            listener.accept(new Decided(rank, epoch, strand, choices.subList(from, to)));
        }
    }

    /** The choices of one thread; between its epochs the rank's main thread takes them. */
    private static final class Choices implements ChoiceSource {

        private static final int INITIAL_CAPACITY = 64;

        private final int rank;
        private final int limit;
        private int[] choices = new int[INITIAL_CAPACITY];
        private int count;
        private int reported;

        private Choices(int rank, int limit) {
            this.rank = rank;
            this.limit = limit;
        }

        @Override
        public int choose(IntSupplier free) {
            if (reported + count == limit) {
                throw new ReplayDivergence(
                        ("rank %d has more than %d decisions to record, the limit for one thread;"
                                        + " use fewer epochs, ranks or rounds, or do not record the"
                                        + " run")
                                .formatted(rank, limit));
            }
            if (count == choices.length) {
                choices = Arrays.copyOf(choices, 2 * count);
            }
            int choice = free.getAsInt();
            choices[count] = choice;
            count++;
            return choice;
        }

        private List<Integer> take() {
            List<Integer> all = Arrays.stream(choices, 0, count).boxed().toList();
            reported += count;
            count = 0;
            return all;
        }
    }
}
