package dev.equipoise.protocol;

import java.util.List;

/**
 * Batch of events of one assignment. Events have consecutive numbers from 1. The service ignores
 * those that it has seen, so a batch may be sent again.
 *
 * @param generation generation of the assignment; the service rejects another one
 * @param firstSequence number of the first event
 * @param events events in the order of their numbers
 */
public record Report(int generation, long firstSequence, List<AgentEvent> events)
        implements AgentMessage {

    /** Most events of a batch. */
    public static final int MAX_EVENTS = 500;

    /** Most figures of a batch, so that its JSON stays below a megabyte. */
    public static final int MAX_BULK = 15_000;

    public Report {
        Rules.atLeast("firstSequence", firstSequence, 1);
        Rules.notEmpty("events", events);
        Rules.size("events", events, MAX_EVENTS);
        events = List.copyOf(events);
    }
}
