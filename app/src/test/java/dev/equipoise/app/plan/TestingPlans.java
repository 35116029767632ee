package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.performance.partition.SpeedFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Definitions, configurations and models for tests of plans. */
final class TestingPlans {

    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    /** 100 rounds of 40 samples on 4 replicas; 1 ms a sample. */
    static final String VIRTUAL =
            """
            apiVersion: equipoise/v1
            name: planned
            dataset: { name: mnist, limit: 4000 }
            network: { preset: mnist-cnn }
            training: { epochs: 6, batchSize: 10, optimizer: { kind: sgd, learningRate: 0.1 } }
            workers: { replicas: 4 }
            execution:
              kind: virtual
              samplesPerSecond: 1000
              link: { latencyMicroseconds: 50, megabytesPerSecond: 100 }
            """;

    static final String REAL = VIRTUAL.substring(0, VIRTUAL.indexOf("execution:"));

    static final int ROUNDS = 100;
    static final double COMPUTE = 0.01;

    private TestingPlans() {}

    static JsonNode yaml(String text) {
        return YAML.readTree(text);
    }

    /** The configuration of a definition with fields added or replaced. */
    static RunConfiguration configuration(String definition, String... fields) {
        ObjectNode node = (ObjectNode) yaml(definition);
        for (String field : fields) {
            yaml(field).properties().forEach(it -> node.set(it.getKey(), it.getValue()));
        }
        return Definition.read(node).configurations().getFirst();
    }

    static StepTimeModel stepTime(double samplesPerSecond) {
        return new StepTimeModel(SpeedFunction.constant(samplesPerSecond), 0, 0);
    }

    static LinkCosts links(RunConfiguration configuration) {
        return configuration.execution() instanceof dev.equipoise.protocol.Execution.Virtual virtual
                ? LinkCosts.specified(virtual.link())
                : LinkCosts.measured(configuration.ranks(), List.of());
    }

    /** A model with equal shares and the speeds of the replicas, or one speed for all. */
    static EpochTimeModel model(RunConfiguration configuration, Double... samplesPerSecond) {
        int servers = configuration.topology().servers();
        int replicas = configuration.workers().replicas();
        List<Integer> shares = new ArrayList<>(Collections.nCopies(servers, 0));
        shares.addAll(Collections.nCopies(replicas, configuration.dataset().limit() / replicas));
        List<StepTimeModel> stepTimes =
                samplesPerSecond.length == 1
                        ? Collections.nCopies(replicas, stepTime(samplesPerSecond[0]))
                        : List.of(samplesPerSecond).stream().map(TestingPlans::stepTime).toList();
        return new EpochTimeModel(configuration, shares, stepTimes, links(configuration));
    }
}
