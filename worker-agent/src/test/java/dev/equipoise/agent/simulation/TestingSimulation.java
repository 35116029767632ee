package dev.equipoise.agent.simulation;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.agent.training.TestingReplicas;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.TrainingPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Trains all ranks of a plan like an agent with a simulation assignment. */
final class TestingSimulation {

    private static final Path NOWHERE = Path.of("target/no-data");
    private static final DatasetRegistry DATASETS =
            new DatasetRegistry(
                    new DatasetSettings(
                            List.of(NOWHERE), NOWHERE, "npm", "apt-get", Duration.ofSeconds(1)));

    private TestingSimulation() {}

    static void run(TrainingPlan plan, Consumer<RunReport> events) throws InterruptedException {
        run(plan, Long.MAX_VALUE, events);
    }

    static void run(TrainingPlan plan, Consumer<RunReport> events, @Nullable ModelStore models)
            throws InterruptedException {
        run(plan, Long.MAX_VALUE, events, models);
    }

    static void run(TrainingPlan plan, long memoryBytes, Consumer<RunReport> events)
            throws InterruptedException {
        run(plan, memoryBytes, events, null);
    }

    private static void run(
            TrainingPlan plan,
            long memoryBytes,
            Consumer<RunReport> events,
            @Nullable ModelStore models)
            throws InterruptedException {
        new Simulation(
                        DATASETS,
                        1,
                        memoryBytes,
                        TestingReplicas.BACKEND,
                        DivergedWeightsStore.fromEnvironment(
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
                        events,
                        models);
    }
}
