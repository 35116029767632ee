package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.FailureCause;
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
 * An assignment that this agent does not understand, as the service is newer and asks for what was
 * not there yet. Another worker may.
 *
 * @param why in one sentence
 */
record UnreadAssignment(AssignmentId id, int generation, String why) {

    /** Empty where it is no assignment at all. */
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
        return "the agent, of version %s, is older than the service and does not understand its assignment at /%s: install the service's version"
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

    /** All that is said of it. */
    Report report() {
        return new Report(
                generation,
                1,
                List.of(new AgentEvent.Failed(FailureCause.WORKER, "agent-too-old", why)));
    }
}
