package dev.equipoise.protocol;

import java.util.List;

/**
 * A batch of events of one assignment. Events are numbered from 1 without a gap; one that the
 * service has seen is passed over, so a batch may be sent again.
 *
 * @param generation of the assignment; another one is refused
 * @param firstSequence the number of the first event
 */
public record Report(int generation, long firstSequence, List<AgentEvent> events)
        implements AgentMessage {

    /** The largest batch that the service takes. */
    public static final int MAX_EVENTS = 500;

    /** The figures that a batch has at most, so that its text stays below a megabyte. */
    public static final int MAX_BULK = 15_000;

    public Report {
        Rules.atLeast("firstSequence", firstSequence, 1);
        Rules.notEmpty("events", events);
        Rules.size("events", events, MAX_EVENTS);
        events = List.copyOf(events);
    }
}
