package dev.equipoise.app.profile;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One measurement of the links between some workers, who take part all at once. */
@Entity
class LinkMeasurement {

    private static final String SEPARATOR = ",";

    @Id private UUID id;

    /** As {@link #text} writes them, so that equal sets of workers are equal texts. */
    private String workers;

    @Enumerated(EnumType.STRING)
    private ProfileState state;

    private int ranksFinished;
    private @Nullable String failure;
    private Instant requestedAt;
    private @Nullable Instant finishedAt;

    @SuppressWarnings("UnusedVariable") // for Hibernate
    @Version
    private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected LinkMeasurement() {}

    LinkMeasurement(Collection<WorkerId> workers, Instant now) {
        this.id = UUID.randomUUID();
        this.workers = text(workers);
        this.state = ProfileState.PENDING;
        this.requestedAt = now;
    }

    static String text(Collection<WorkerId> workers) {
        return workers.stream()
                .map(WorkerId::toString)
                .sorted()
                .collect(Collectors.joining(SEPARATOR));
    }

    UUID id() {
        return id;
    }

    ProfileState state() {
        return state;
    }

    Instant requestedAt() {
        return requestedAt;
    }

    /** Why it failed; empty where it did not. */
    String failure() {
        return failure == null ? "" : failure;
    }

    /** In the order of their ranks. */
    List<WorkerId> workers() {
        return Stream.of(workers.split(SEPARATOR)).map(UUID::fromString).map(WorkerId::of).toList();
    }

    void begin() {
        become(ProfileState.MEASURING);
    }

    /** One more rank has done its part; whether it was the last. */
    boolean finishRank() {
        ranksFinished++;
        return ranksFinished == workers().size();
    }

    int links() {
        int ranks = workers().size();
        return ranks * (ranks - 1) / 2;
    }

    void complete(Instant now) {
        become(ProfileState.COMPLETE);
        finishedAt = now;
    }

    void fail(String reason, Instant now) {
        become(ProfileState.FAILED);
        failure = reason;
        finishedAt = now;
    }

    private void become(ProfileState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Link measurement %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
    }

    LinkMeasurementView view() {
        return new LinkMeasurementView(id, workers(), state, failure, requestedAt, finishedAt);
    }
}
