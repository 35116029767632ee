package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    private static final Architecture LINEAR =
            new Architecture("linear", new Shape.Vector(3), List.of(new Dense(2)));
    private final List<Integer> compiled = new ArrayList<>();

    @Test
    void compileEachSizeOnceAndEvictTheLeastRecentlyUsed() {
        try (Network network = Network.of(LINEAR, Objective.meanCrossEntropy(2), Backends.load());
                Programs programs = new Programs(batch -> compile(network, batch), 8)) {
            for (int batch : new int[] {1, 2, 3, 4, 1, 5, 1, 2}) {
                programs.forBatch(batch);
            }
            assertThat(compiled).containsExactly(1, 2, 3, 4, 5, 2);
            assertThat(programs.count()).isEqualTo(4);
        }
    }

    @Test
    void evictLargeProgramsSooner() {
        try (Network network = Network.of(LINEAR, Objective.meanCrossEntropy(2), Backends.load());
                Programs programs =
                        new Programs(batch -> compile(network, batch), (1L << 30) / 4)) {
            for (int batch : new int[] {1, 2, 3, 1, 9}) {
                programs.forBatch(batch);
            }
            assertThat(compiled).containsExactly(1, 2, 3, 1, 9);
            assertThat(programs.count()).isEqualTo(1);
        }
    }

    private Program compile(Network network, int batch) {
        compiled.add(batch);
        return network.compile(batch);
    }
}
