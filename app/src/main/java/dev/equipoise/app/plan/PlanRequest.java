package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.Definition;
import dev.equipoise.app.experiment.ExecutionReader;
import dev.equipoise.app.experiment.Fields;
import dev.equipoise.app.experiment.RunConfiguration;
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
 * What is to be planned.
 *
 * @param configurations that the definition stands for, each once, whatever its seed
 * @param lab empty for the workers that there are
 * @param target a test accuracy, or null
 */
record PlanRequest(
        JsonNode definition,
        List<RunConfiguration> configurations,
        Optional<Bench> lab,
        @Nullable Double target) {

    private static final int MOST_CONFIGURATIONS = 50;
    private static final int MOST_WORKERS = 64;
    private static final double MOST_SLOW_DOWN = 1000;
    private static final double MOST_MEMORY = 1e15;
    private static final String DEFINITION = "definition";

    PlanRequest {
        configurations = List.copyOf(configurations);
    }

    /**
     * Reads a body as a whole.
     *
     * @throws Problem {@code invalid-definition} where the definition would be refused, {@code
     *     invalid-request} with all else that is wrong
     */
    static PlanRequest read(JsonNode body) {
        List<Violation> violations = new ArrayList<>();
        Fields fields = Fields.of(body, violations);
        List<RunConfiguration> configurations =
                fields.given(DEFINITION) ? configurations(body.path(DEFINITION)) : List.of();
        if (!fields.given(DEFINITION)) {
            fields.refuse(DEFINITION, "is needed");
        }
        Double target = fields.given("target") ? fields.number("target", null, 0, 1) : null;
        Optional<Bench> lab = lab(fields);
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

    /** That of the definition. */
    static @Nullable Double target(RunConfiguration configuration) {
        RunConfiguration.Target target = configuration.evaluation().target();
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
                    wrong.violations().stream()
                            .map(it ->
                                    new Violation(
                                            "/" + DEFINITION + it.pointer(), it.rule(), it.value()))
                            .toList());
        }
    }

    private static Optional<Bench> lab(Fields fields) {
        if (!fields.given("workers")) {
            if (fields.given("link")) {
                fields.refuse("link", "must stand beside workers; live ones have their own");
            }
            return Optional.empty();
        }
        List<Hand> hands = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Fields.Element element : fields.elements("workers", 1, MOST_WORKERS)) {
            Fields worker = element.object();
            Hand hand = hand(worker, hands.size());
            if (!names.add(hand.name())) {
                worker.refuse("name", "must be that of no other worker");
            }
            hands.add(hand);
        }
        return Optional.of(
                new Bench(
                        hands,
                        new Network.Told(ExecutionReader.link(fields.object("link"))),
                        List.of()));
    }

    private static Hand hand(Fields fields, int number) {
        String name = fields.text("name", null);
        Execution.Speed speed = ExecutionReader.speedOfOne(fields);
        double slowDown = fields.number("slowDown", 1.0, 1, MOST_SLOW_DOWN);
        double memory = fields.number("memoryBytes", MOST_MEMORY, 1, MOST_MEMORY);
        String host = fields.text("host", "of " + name);
        fields.end();
        return Hand.told(
                Bench.imagined(number, name, host.isEmpty() ? name : host, (long) memory),
                Pace.told(speed, 0).slowedBy(slowDown));
    }

    /** Rules that take more than one field. */
    private static void check(
            List<RunConfiguration> configurations, Optional<Bench> lab, Fields fields) {
        if (configurations.size() > MOST_CONFIGURATIONS) {
            fields.note(
                    DEFINITION + "/matrix",
                    "must stand for at most %d configurations, seeds left out"
                            .formatted(MOST_CONFIGURATIONS));
        }
        if (configurations.stream().anyMatch(it -> it.repeats().isPresent())) {
            fields.note(
                    DEFINITION + "/execution",
                    "must not be a replay, the times of which mean nothing");
        }
        if (lab.isPresent() && configurations.stream().anyMatch(RunConfiguration::isOnOneWorker)) {
            fields.refuse(
                    "workers",
                    "must be left out where the definition's execution is virtual, which tells its"
                            + " speeds by itself");
        }
    }
}
