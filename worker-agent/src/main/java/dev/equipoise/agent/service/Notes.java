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
    private int told;

    public Notes(int rank, Consumer<? super Noted> events) {
        this.rank = rank;
        this.events = events;
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
