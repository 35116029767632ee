package dev.equipoise.agent.replica;

import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.TrainingPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** Trains a plan as an agent does that was given all of its ranks. */
final class TestingSimulation {

    private static final Path NOWHERE = Path.of("target/no-data");
    private static final DatasetRegistry DATASETS =
            new DatasetRegistry(
                    new DatasetSettings(
                            List.of(NOWHERE), NOWHERE, "npm", "apt-get", Duration.ofSeconds(1)));

    private TestingSimulation() {}

    static void run(TrainingPlan plan, Consumer<AgentEvent> events) throws InterruptedException {
        run(plan, Long.MAX_VALUE, events);
    }

    static void run(TrainingPlan plan, long memoryBytes, Consumer<AgentEvent> events)
            throws InterruptedException {
        new Simulation(
                        DATASETS,
                        1,
                        memoryBytes,
                        TestingReplicas.BACKEND,
                        LastWeights.fromEnvironment(
                                Map.of("XDG_STATE_HOME", "target/state", "HOME", "target")),
                        (_, _) -> {
                            throw new AssertionError("nothing is repeated");
                        })
                .run(
                        new Assignment.Simulation(
                                AssignmentId.of(UUID.randomUUID()),
                                1,
                                RunId.of(UUID.randomUUID()),
                                plan),
                        events);
    }
}
