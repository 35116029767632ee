package dev.equipoise.testing.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Results of one test class.
 *
 * @param module the folder of its Maven module
 * @param name the class, with its package
 * @param seconds total time of its tests
 * @param tests number of tests, with the skipped ones
 */
record TestResults(String module, String name, double seconds, int tests, List<Finding> findings) {

    /** Outcome of a test that failed, was flaky or was skipped. */
    enum Kind {
        FAILED,
        /** The test failed first and passed in a later attempt. */
        FLAKY,
        SKIPPED
    }

    /**
     * A test with another outcome than a pass.
     *
     * @param reason the first line of the failure, or the reason of the skip
     */
    record Finding(Kind kind, String test, String reason) {}

    Stream<Finding> findings(Kind kind) {
        return findings.stream().filter(it -> it.kind() == kind);
    }

    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
