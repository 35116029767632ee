package dev.equipoise.app.problem;

import tools.jackson.databind.json.JsonMapper;

/** Writes problems as the service does. */
public final class TestingProblems {

    private TestingProblems() {}

    public static ProblemWriter writer() {
        return new ProblemWriter(new JsonMapper());
    }
}
