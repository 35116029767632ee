package dev.equipoise.agent.virtual;

/**
 * What comes next at a moment of virtual time. Events of the same moment have an order, too, which
 * is that of nothing but the run itself: frames before actors, by when and by whom they were sent;
 * actors by rank, each rank's background before itself.
 */
abstract sealed class Event implements Comparable<Event> permits Actor, Frame {

    /** For actors, which come after all frames of the moment. */
    static final long LAST = Long.MAX_VALUE;

    /** In nanoseconds; must not change while the event is queued. */
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
