package dev.equipoise.agent.service;

import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.SoftwareVersion;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;

/**
 * Assignment that this agent does not understand, because the service is newer. Another worker may.
 *
 * @param why one sentence
 */
record UnreadAssignment(AssignmentId id, int generation, String why) {

    /** Returns the assignment; empty if the JSON is none. */
    static Optional<UnreadAssignment> of(JsonNode work, DatabindException unread) {
        try {
            return Optional.of(
                    new UnreadAssignment(
                            AssignmentId.of(UUID.fromString(work.path("id").asString(""))),
                            work.path("generation").asInt(0),
                            why(unread)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String why(DatabindException unread) {
        return ("the agent, of version %s, is older than the service and does not understand"
                        + " its assignment at /%s: install the service's version")
                .formatted(
                        SoftwareVersion.OWN,
                        unread.getPath().stream()
                                .map(UnreadAssignment::step)
                                .collect(Collectors.joining("/")));
    }

    private static String step(Reference step) {
        return step.getPropertyName() == null
                ? String.valueOf(step.getIndex())
                : step.getPropertyName();
    }

    /** Returns the only report on the assignment. */
    Report report() {
        return new Report(
                generation,
                1,
                List.of(new Outcome.Failed(FailureCause.WORKER, "agent-too-old", why)));
    }
}
