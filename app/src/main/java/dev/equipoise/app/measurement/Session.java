package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A locked measurement session. Its workers measure at the same time, so that it fails as a whole.
 *
 * @param parts one profile for each worker, or one link measurement of all workers
 */
record Session(List<? extends SessionPart> parts) {

    Session {
        parts = List.copyOf(parts);
    }

    boolean isPending() {
        return parts.stream().allMatch(it -> it.state() == MeasurementState.PENDING);
    }

    SessionPart part(UUID id) {
        return first(it -> it.id().equals(id), id);
    }

    SessionPart partOf(WorkerId worker) {
        return first(it -> it.isOf(worker), worker);
    }

    private SessionPart first(Predicate<SessionPart> isWanted, Object key) {
        return parts.stream()
                .filter(isWanted)
                .findFirst()
                .orElseThrow(() -> Problem.notFound("measurement", key));
    }

    /**
     * Fails a part and cancels the other unfinished ones.
     *
     * @return the parts that were unfinished
     */
    Set<UUID> fail(SessionPart culprit, String reason, Instant now) {
        return endAll(it -> {
            if (it.equals(culprit)) {
                it.fail(reason, now);
            } else {
                it.cancel("canceled with %s: %s".formatted(culprit.title(), reason), now);
            }
        });
    }

    /**
     * Withdraws all unfinished parts.
     *
     * @return the parts that were unfinished
     */
    Set<UUID> withdraw(String reason, Instant now) {
        return endAll(it -> it.withdraw(reason, now));
    }

    private Set<UUID> endAll(Consumer<SessionPart> end) {
        Set<UUID> ended = new HashSet<>();
        for (SessionPart part : parts) {
            if (!part.isOver()) {
                end.accept(part);
                ended.add(part.id());
            }
        }
        return ended;
    }
}
