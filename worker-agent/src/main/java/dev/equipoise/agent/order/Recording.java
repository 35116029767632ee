package dev.equipoise.agent.order;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.TrainingPlan;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Decides as it comes, and tells after each epoch what was decided. */
public final class Recording implements EventOrder {

    private static final int MOST_OF_A_RUN = 40_000_000;

    private final int rank;
    private final Notes main;
    private final Notes background;

    public Recording(TrainingPlan plan, int rank) {
        this(rank, MOST_OF_A_RUN / plan.division().ranks());
    }

    /**
     * @param most decisions of a thread in all epochs
     */
    Recording(int rank, int most) {
        this.rank = rank;
        this.main = new Notes(rank, most);
        this.background = new Notes(rank, most);
    }

    @Override
    public Decisions of(Strand strand) {
        return strand == Strand.MAIN ? main : background;
    }

    @Override
    public void end(int epoch, Consumer<AgentEvent> listener) {
        tell(epoch, Strand.MAIN, main.take(), listener);
        tell(epoch, Strand.BACKGROUND, background.take(), listener);
    }

    private void tell(
            int epoch, Strand strand, List<Integer> choices, Consumer<AgentEvent> listener) {
        for (int from = 0; from < choices.size(); from += Decided.MOST_CHOICES) {
            int to = Math.min(choices.size(), from + Decided.MOST_CHOICES);
            listener.accept(new Decided(rank, epoch, strand, choices.subList(from, to)));
        }
    }

    /** Of one thread; between two of its epochs the rank's own thread takes them. */
    private static final class Notes implements Decisions {

        private static final int FIRST_ROOM = 64;

        private final int rank;
        private final int most;
        private int[] choices = new int[FIRST_ROOM];
        private int count;
        private int taken;

        private Notes(int rank, int most) {
            this.rank = rank;
            this.most = most;
        }

        @Override
        public int choose(IntSupplier free) {
            if (taken + count == most) {
                throw new OrderImpossible(
                        "rank %d has more than %d decisions to record, more than are kept of one"
                                .formatted(rank, most));
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
            taken += count;
            count = 0;
            return all;
        }
    }
}
