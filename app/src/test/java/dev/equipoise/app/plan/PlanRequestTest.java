package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class PlanRequestTest {

    private static final String WORKERS =
            "workers: [{name: a, samplesPerSecond: 100}, {name: b, samplesPerSecond: 50}]";

    private static ObjectNode body(String definition, String... fields) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.set("definition", TestingPlans.yaml(definition));
        for (String field : fields) {
            TestingPlans.yaml(field)
                    .properties()
                    .forEach(it -> body.set(it.getKey(), it.getValue()));
        }
        return body;
    }

    private static Problem rejected(ObjectNode body) {
        Problem problem = catchThrowableOfType(Problem.class, () -> PlanRequest.read(body));
        assertThat(problem).as("%s", body).isNotNull();
        return problem;
    }

    private static List<String> broken(String... fields) {
        Problem problem = rejected(body(TestingPlans.REAL, fields));
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        return problem.violations().stream().map(it -> it.pointer() + " " + it.rule()).toList();
    }

    @Test
    void requestDescribesImaginedWorkers() {
        PlanRequest request =
                PlanRequest.read(
                        body(
                                TestingPlans.REAL,
                                """
                                workers:
                                - {name: a, samplesPerSecond: 100, slowDown: 2, host: one}
                                - {name: b, points: [{size: 10, seconds: 0.1}], memoryBytes: 1000}
                                """,
                                "link: {latencyMicroseconds: 20, megabytesPerSecond: 10}",
                                "target: 0.9"));

        assertThat(request.target()).isEqualTo(0.9);
        CandidateWorkers lab = request.lab().orElseThrow();
        assertThat(lab.workers()).extracting(CandidateWorker::name).containsExactly("a", "b");
        assertThat(lab.workers().getFirst().seconds(10)).isEqualTo(0.2, within(1e-12));
        assertThat(lab.workers().getLast().seconds(10)).isEqualTo(0.1, within(1e-12));
        assertThat(lab.workers().getLast().worker().host().memoryBytes()).isEqualTo(1000);
    }

    @Test
    void seedsDoNotMultiplyConfigurations() {
        PlanRequest request =
                PlanRequest.read(
                        body(
                                TestingPlans.REAL
                                        + "seeds: [1, 2, 3]\nmatrix: {training.batchSize: [5, 10]}"));

        assertThat(request.configurations()).hasSize(2);
    }

    @Test
    void invalidSpeedsAreRejected() {
        assertThat(
                        broken(
                                """
                                workers:
                                - {name: a, samplesPerSecond: 0}
                                - {name: b, samplesPerSecond: -5}
                                - {name: c, points: [{size: 2, seconds: 1}, {size: 1, seconds: 2}]}
                                - {name: d}
                                - {name: d, samplesPerSecond: 1, slowDown: 0.5, memoryBytes: 0, colour: red}
                                - {name: e, samplesPerSecond: 1, points: [{size: 1, seconds: 1}]}
                                """))
                .containsExactly(
                        "/workers/0/samplesPerSecond must be from 1.0E-6 to 1.0E12",
                        "/workers/1/samplesPerSecond must be from 1.0E-6 to 1.0E12",
                        "/workers/2/points/1 must be larger than the one before and take no less time",
                        "/workers/3/points must be a list of 1 to 100 elements",
                        "/workers/4/slowDown must be from 1.0 to 1000.0",
                        "/workers/4/memoryBytes must be from 1.0 to 1.0E15",
                        "/workers/4/colour is not a field; the fields here are [host, memoryBytes,"
                                + " name, points, samplesPerSecond, slowDown]",
                        "/workers/4/name must be unique",
                        "/workers/5/points must not be given with samplesPerSecond");
    }

    @Test
    void invalidCombinationsAreRejected() {
        assertThat(broken("link: {megabytesPerSecond: 10}"))
                .containsExactly("/link must come with workers; live workers have their own links");
        assertThat(broken("target: 1.5")).containsExactly("/target must be from 0.0 to 1.0");
        assertThat(broken("worker: []"))
                .containsExactly(
                        "/worker is not a field; did you mean workers? The fields here are"
                                + " [definition, link, target, workers]");
        assertThat(broken("workers: []"))
                .containsExactly("/workers must be a list of 1 to 64 elements");
        assertThat(broken(WORKERS, "link: {megabytesPerSecond: 0}"))
                .containsExactly("/link/megabytesPerSecond must be from 0.1 to 1000000.0");
    }

    @Test
    void invalidDefinitionReportsThePointerInTheRequest() {
        Problem problem =
                rejected(body(TestingPlans.REAL.replace("replicas: 4", "replicas: 5000")));

        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_DEFINITION);
        assertThat(problem.violations().getFirst().pointer())
                .isEqualTo("/definition/workers/replicas");
    }

    /** A virtual run specifies its own speeds. */
    @Test
    void workersBesideVirtualExecutionAreRejected() {
        assertThat(rejected(body(TestingPlans.VIRTUAL, WORKERS)).violations().getFirst().rule())
                .startsWith("must be absent if the definition's execution is virtual");
    }

    @Test
    void bodyWithoutDefinitionIsRejected() {
        ObjectNode empty = JsonMapper.shared().createObjectNode();

        assertThat(rejected(empty).violations())
                .extracting(it -> it.pointer() + " " + it.rule())
                .containsExactly("/definition must be given");
    }
}
