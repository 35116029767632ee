package dev.equipoise.agent.order;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.TrainingPlan;
import java.util.function.Consumer;

/** How the two threads of one rank decide, epoch by epoch. The rank's own thread uses it. */
public interface EventOrder {

    /** As it comes, and nobody notes it. */
    EventOrder FREE =
            new EventOrder() {
                @Override
                public Decisions of(Strand strand) {
                    return Decisions.FREE;
                }

                @Override
                public void end(int epoch, Consumer<AgentEvent> listener) {}
            };

    /** As it comes, and noted where the plan asks for that. */
    static EventOrder of(TrainingPlan plan, int rank) {
        return plan.observation().record() ? new Recording(plan, rank) : FREE;
    }

    /** The same object at each call. */
    Decisions of(Strand strand);

    /**
     * An epoch is over, and nothing goes on in the background.
     *
     * @param listener hears what is to be told of it
     * @throws OrderImpossible where the epoch was not the one that it should have been
     */
    void end(int epoch, Consumer<AgentEvent> listener);
}
