package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests that assignments have the data addresses that agents reported when they registered. */
@RunningService
class DataAddressIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "met", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 2}}
            """;

    private final TestingLab lab;

    DataAddressIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Registers an agent that reports the data address {@code NAME:5702}. */
    private TestingAgent joinWithAddress(String name) {
        Registration plain = TestingLab.registration(name);
        return lab.join(
                new Registration(
                        plain.name(),
                        plain.host(),
                        plain.clusterAddress(),
                        plain.labels(),
                        plain.credential(),
                        SoftwareVersion.OWN,
                        name + ":5702"));
    }

    private List<TestingAgent> agentsWithAddresses() {
        List<TestingAgent> agents = List.of(joinWithAddress("north"), joinWithAddress("south"));
        TestingLab.beat(agents);
        return agents;
    }

    private static void assertNamesAll(List<TestingAgent> agents, Assignment.Joint assignment) {
        WorkerId north = agents.getFirst().id();

        assertThat(assignment.addresses())
                .isEqualTo(
                        assignment.peers().stream()
                                .map(it -> it.equals(north) ? "north:5702" : "south:5702")
                                .toList());
    }

    @Test
    void trainingNamesTheAddressesOfAllRanks() {
        List<TestingAgent> agents = agentsWithAddresses();
        lab.project().submitOne(DEFINITION);

        assertThat(agents).allSatisfy(agent -> assertNamesAll(agents, agent.training()));
    }

    @Test
    void linkMeasurementNamesTheAddressesOfAllWorkers() {
        List<TestingAgent> agents = agentsWithAddresses();
        lab.administrator()
                .post(
                        "/links/measurements",
                        Map.of("workers", agents.stream().map(TestingAgent::id).toList()))
                .expect(202);

        assertThat(agents)
                .allSatisfy(agent -> assertNamesAll(agents, (Assignment.Joint) agent.work()));
    }

    @Test
    void profileNamesTheAddressesOfAllCoLocatedWorkers() {
        TestingAgent agent = joinWithAddress("north");
        TestingLab.beat(List.of(agent));
        lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", Map.of("network", "mnist-cnn"))
                .expect(202);

        assertThat(agent.profiling().addresses()).containsExactly("north:5702");
    }

    /** An agent of the version before reports no address; all then ask the cluster. */
    @Test
    void assignmentWithAnUnknownAddressNamesNone() {
        List<TestingAgent> agents = List.of(joinWithAddress("north"), lab.join("south"));
        TestingLab.beat(agents);
        lab.project().submitOne(DEFINITION);

        assertThat(agents).allSatisfy(agent -> assertThat(agent.training().addresses()).isNull());
    }
}
