package dev.equipoise.agent.order;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Decided;
import dev.equipoise.protocol.AgentEvent.Strand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Decides as a rank has decided before. */
public final class Replaying implements EventOrder {

    private final Notes main;
    private final Notes background;

    public Replaying(int rank) {
        this.main = new Notes(rank, Strand.MAIN);
        this.background = new Notes(rank, Strand.BACKGROUND);
    }

    /** Before the first decision: what the rank has told, in the order in which it has told it. */
    public void add(Decided decided) {
        of(decided.strand()).add(decided);
    }

    @Override
    public Notes of(Strand strand) {
        return strand == Strand.MAIN ? main : background;
    }

    @Override
    public void end(int epoch, Consumer<AgentEvent> listener) {
        main.end(epoch);
        background.end(epoch);
    }

    /** Those of one thread; between two of its epochs the rank's own thread moves them on. */
    static final class Notes implements Decisions {

        private static final int FIRST_ROOM = 64;

        private final int rank;
        private final Strand strand;

        /** Of all epochs, one after the other. */
        private int[] choices = new int[FIRST_ROOM];

        /** Where the choices of each epoch end, but for the last one that has any. */
        private final List<Integer> ends = new ArrayList<>();

        private int count;
        private int epoch = 1;
        private int next;

        private Notes(int rank, Strand strand) {
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
                throw impossible("more");
            }
            int choice = choices[next];
            next++;
            return choice;
        }

        private int end() {
            return epoch <= ends.size() ? ends.get(epoch - 1) : count;
        }

        private void end(int over) {
            if (next < end()) {
                throw impossible("fewer");
            }
            epoch = over + 1;
        }

        private OrderImpossible impossible(String howMany) {
            return new OrderImpossible(
                    "rank %d makes %s decisions in epoch %d than were recorded (%s thread): the run"
                                    .formatted(rank, howMany, epoch, strand)
                            + " that is repeated was another one");
        }
    }
}
