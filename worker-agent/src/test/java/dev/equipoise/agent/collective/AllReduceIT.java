package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AllReduceIT {

    static Stream<Arguments> algorithmsAndRanks() {
        return Arrays.stream(Algorithm.values())
                .flatMap(algorithm ->
                        Stream.of(2, 3, 5).map(ranks -> Arguments.of(algorithm, ranks)));
    }

    @ParameterizedTest
    @MethodSource("algorithmsAndRanks")
    void sumsOverSockets(Algorithm algorithm, int ranks) {
        var inputs = TestingVectors.random(ranks, 431_081);
        var outputs = inputs.copy();
        try (var mesh = new TestingMesh(ranks)) {
            List<Channel> channels = mesh.connectAll();

            outputs.sumOver(channels, algorithm);

            channels.forEach(Channel::close);
        }

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }
}
