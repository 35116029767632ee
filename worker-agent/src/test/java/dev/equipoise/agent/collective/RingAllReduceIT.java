package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.TestingMesh;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingAllReduceIT {

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void sumsOverSockets(int ranks) {
        var inputs = TestingVectors.random(ranks, 431_081);
        var outputs = inputs.copy();
        try (var mesh = new TestingMesh(ranks)) {
            List<Channel> channels = mesh.connectAll();

            outputs.sumOver(channels);

            channels.forEach(Channel::close);
        }

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }
}
