package dev.equipoise.agent.service;

import dev.equipoise.protocol.ProblemCode;

/** Meaning of an unwanted answer for the request. */
sealed interface Verdict {

    /** One sentence without a full stop. */
    String message();

    /**
     * A repetition may succeed: the service asks for one, or the answer is not the service's, for
     * example that of a proxy whose service is away.
     */
    record Temporary(String message) implements Verdict {}

    /** The service itself rejects the request, and would reject a repetition. */
    record Rejected(ProblemCode code, String message) implements Verdict {}
}
