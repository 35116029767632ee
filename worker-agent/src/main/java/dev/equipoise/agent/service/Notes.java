package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent.Noted;
import java.util.function.Consumer;

/**
 * Tells the service of one assignment what is worth telling to people, up to a bound. The thread
 * that does the assignment is the only one that uses it.
 */
public final class Notes {

    private final int rank;
    private final Consumer<? super Noted> events;
    private final Consumer<Stage> stages;
    private int told;

    /** How far a rank is that does not train yet. */
    public enum Stage {
        /** Its channel has all its peers. */
        MET,
        /** Its data is there. */
        HAS_DATA
    }

    public Notes(int rank, Consumer<? super Noted> events) {
        this(rank, events, _ -> {});
    }

    /**
     * The same, for who watches as well.
     *
     * @param stages hears how far the rank is
     */
    public Notes(int rank, Consumer<? super Noted> events, Consumer<Stage> stages) {
        this.rank = rank;
        this.events = events;
        this.stages = stages;
    }

    public void passed(Stage stage) {
        stages.accept(stage);
    }

    /** The last that is possible says so instead. */
    public void tell(String text) {
        if (told == Noted.MOST_OF_AN_ASSIGNMENT) {
            return;
        }
        told++;
        boolean last = told == Noted.MOST_OF_AN_ASSIGNMENT;
        events.accept(new Noted(rank, last ? "has noted enough, and notes no more" : text));
    }
}
