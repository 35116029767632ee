package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.Instrumentation;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.app.experiment.ExecutionReader;
import dev.equipoise.app.experiment.JsonFieldReader;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Execution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of a plan request.
 *
 * @param configurations the distinct configurations of the definition, without their seeds
 * @param lab the imagined workers; empty to plan with the live ones
 * @param target test accuracy to reach, from 0 to 1, or null
 */
record PlanRequest(
        JsonNode definition,
        List<RunConfiguration> configurations,
        Optional<CandidateWorkers> lab,
        @Nullable Double target) {

    private static final int MAX_CONFIGURATIONS = 50;
    private static final int MAX_WORKERS = 64;
    private static final double MAX_SLOW_DOWN = 1000;
    private static final double MAX_MEMORY_BYTES = 1e15;
    private static final String DEFINITION = "definition";

    PlanRequest {
        configurations = List.copyOf(configurations);
    }

    /**
     * Reads a body and reports all its violations at once.
     *
     * @throws Problem {@code invalid-definition} if the definition is invalid, {@code
     *     invalid-request} with all other violations
     */
    static PlanRequest read(JsonNode body) {
        List<Violation> violations = new ArrayList<>();
        JsonFieldReader fields = JsonFieldReader.of(body, violations);
        List<RunConfiguration> configurations =
                fields.given(DEFINITION) ? configurations(body.path(DEFINITION)) : List.of();
        if (!fields.given(DEFINITION)) {
            fields.reject(DEFINITION, "must be given");
        }
        Double target = fields.given("target") ? fields.number("target", null, 0, 1) : null;
        Optional<CandidateWorkers> lab = lab(fields);
        fields.end();
        check(configurations, lab, fields);
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
        return new PlanRequest(
                body.path(DEFINITION),
                configurations,
                lab,
                target == null ? target(configurations.getFirst()) : target);
    }

    /** The target accuracy of the definition; null if it has none. */
    static @Nullable Double target(RunConfiguration configuration) {
        Instrumentation.Target target = configuration.instrumentation().evaluation().target();
        return target == null ? null : target.accuracy();
    }

    private static List<RunConfiguration> configurations(JsonNode definition) {
        try {
            return Definition.read(definition).configurations().stream()
                    .map(it -> it.withSeed(1))
                    .distinct()
                    .toList();
        } catch (Problem wrong) {
            throw Problem.of(
                    wrong.code(),
                    wrong.violations().stream().map(PlanRequest::inDefinition).toList());
        }
    }

    private static Violation inDefinition(Violation violation) {
        return new Violation(
                "/" + DEFINITION + violation.pointer(), violation.rule(), violation.value());
    }

    private static Optional<CandidateWorkers> lab(JsonFieldReader fields) {
        if (!fields.given("workers")) {
            if (fields.given("link")) {
                fields.reject("link", "must come with workers; live workers have their own links");
            }
            return Optional.empty();
        }
        List<CandidateWorker> workers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonFieldReader.Element element : fields.elements("workers", 1, MAX_WORKERS)) {
            JsonFieldReader worker = element.object();
            CandidateWorker candidate = candidate(worker, workers.size());
            if (!names.add(candidate.name())) {
                worker.reject("name", "must be unique");
            }
            workers.add(candidate);
        }
        return Optional.of(
                new CandidateWorkers(
                        workers,
                        new LinkModel.Specified(ExecutionReader.link(fields.object("link"))),
                        List.of()));
    }

    private static CandidateWorker candidate(JsonFieldReader fields, int number) {
        String name = fields.text("name", null);
        Execution.Speed speed = ExecutionReader.speedOfOne(fields);
        double slowDown = fields.number("slowDown", 1.0, 1, MAX_SLOW_DOWN);
        double memory = fields.number("memoryBytes", MAX_MEMORY_BYTES, 1, MAX_MEMORY_BYTES);
        String host = fields.text("host", "of " + name);
        fields.end();
        return CandidateWorker.specified(
                CandidateWorkers.imagined(
                        number, name, host.isEmpty() ? name : host, (long) memory),
                StepTimeModel.specified(speed, 0).slowedBy(slowDown));
    }

    /** Checks rules that span several fields. */
    private static void check(
            List<RunConfiguration> configurations,
            Optional<CandidateWorkers> lab,
            JsonFieldReader fields) {
        if (configurations.size() > MAX_CONFIGURATIONS) {
            fields.note(
                    DEFINITION + "/matrix",
                    "must expand to at most %d configurations, without seeds"
                            .formatted(MAX_CONFIGURATIONS));
        }
        if (configurations.stream().anyMatch(it -> it.repeats().isPresent())) {
            fields.note(
                    DEFINITION + "/execution",
                    "must not be a replay, which has no meaningful times");
        }
        if (lab.isPresent() && configurations.stream().anyMatch(RunConfiguration::isOnOneWorker)) {
            fields.reject(
                    "workers",
                    "must be absent if the definition's execution is virtual, which has its own"
                            + " speeds");
        }
    }
}
