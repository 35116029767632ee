package dev.equipoise.app.measurement;

import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One measurement of all links between some workers, which take part at the same time. */
@Entity
class LinkMeasurement extends SessionPart {

    private static final String SEPARATOR = ",";

    /** The workers as written by {@link #text}, so that equal sets have equal texts. */
    private String workers;

    private int ranksFinished;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected LinkMeasurement() {}

    LinkMeasurement(Collection<WorkerId> workers, Instant now) {
        super(now);
        this.workers = text(workers);
    }

    static String text(Collection<WorkerId> workers) {
        return workers.stream()
                .map(WorkerId::toString)
                .sorted()
                .collect(Collectors.joining(SEPARATOR));
    }

    @Override
    String label() {
        return "Link measurement";
    }

    @Override
    String title() {
        return "the link measurement " + id();
    }

    @Override
    boolean isOf(WorkerId worker) {
        return workers().contains(worker);
    }

    @Override
    void withdraw(String reason, Instant now) {
        fail(reason, now);
    }

    /** The workers in rank order. */
    List<WorkerId> workers() {
        return Stream.of(workers.split(SEPARATOR)).map(UUID::fromString).map(WorkerId::of).toList();
    }

    /** Counts a rank that has finished; true for the last one. */
    boolean finishRank() {
        ranksFinished++;
        return ranksFinished == workers().size();
    }

    int links() {
        int ranks = workers().size();
        return ranks * (ranks - 1) / 2;
    }

    LinkMeasurementView view() {
        return new LinkMeasurementView(
                id(), workers(), state(), failure(), requestedAt(), finishedAt());
    }
}
