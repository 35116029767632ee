package dev.equipoise.testing.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Results of one test class.
 *
 * @param module the folder of its Maven module
 * @param name the class, with its package
 * @param seconds how long all its tests took together
 * @param tests how many there are, with those left out
 */
record TestResults(String module, String name, double seconds, int tests, List<Finding> findings) {

    /** Outcome of a test that failed, was flaky, or was left out. */
    enum Kind {
        FAILED,
        /** It failed, was run again, and passed. */
        FLAKY,
        LEFT_OUT
    }

    /**
     * A test that did not simply pass.
     *
     * @param reason the first line of the failure, or why the test was left out
     */
    record Finding(Kind kind, String test, String reason) {}

    Stream<Finding> findings(Kind kind) {
        return findings.stream().filter(it -> it.kind() == kind);
    }

    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
