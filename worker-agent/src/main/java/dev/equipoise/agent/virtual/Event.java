package dev.equipoise.agent.virtual;

/**
 * An event at a virtual time. Events at the same time have a deterministic order: frames before
 * actors; frames by the time of sending and by sender; actors by rank, the background tasks of a
 * rank before its body.
 */
abstract sealed class Event implements Comparable<Event> permits Actor, Frame {

    /** The sending time of actors, which come after all frames of the same time. */
    static final long LAST = Long.MAX_VALUE;

    /** Time in nanoseconds; must not change while the event is queued. */
    long at;

    long sentAt;
    int rank;
    long number;

    @Override
    public final int compareTo(Event other) {
        int order = Long.compare(at, other.at);
        if (order == 0) {
            order = Long.compare(sentAt, other.sentAt);
        }
        if (order == 0) {
            order = Integer.compare(rank, other.rank);
        }
        return order == 0 ? Long.compare(number, other.number) : order;
    }
}
