package dev.equipoise.agent.service;

import dev.equipoise.protocol.RunReport.Noted;
import java.util.function.Consumer;

/**
 * Sends notes for people about one assignment to the service, up to a limit. Any thread may call
 * {@link #report}; only the thread of the assignment calls the rest.
 */
public final class RunNotes {

    private final int rank;
    private final Consumer<? super Noted> events;
    private final Consumer<Stage> stages;

    /** Guarded by this. */
    private int sent;

    /** Stage of a rank before its training. */
    public enum Stage {
        /** Its channel has all its peers. */
        MET,
        /** Its data is there. */
        HAS_DATA
    }

    public RunNotes(int rank, Consumer<? super Noted> events) {
        this(rank, events, _ -> {});
    }

    /**
     * @param stages receives the stage that the rank has reached
     */
    public RunNotes(int rank, Consumer<? super Noted> events, Consumer<Stage> stages) {
        this.rank = rank;
        this.events = events;
        this.stages = stages;
    }

    public void passed(Stage stage) {
        stages.accept(stage);
    }

    /** Sends a note; the last one within the limit says so instead. */
    public synchronized void report(String text) {
        if (sent == Noted.MAX_OF_AN_ASSIGNMENT) {
            return;
        }
        sent++;
        boolean last = sent == Noted.MAX_OF_AN_ASSIGNMENT;
        events.accept(new Noted(rank, last ? "has reached its limit of notes" : text));
    }
}
