package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.ProbeKey;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProbesTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<InetSocketAddress> probed = new ArrayList<>();
    private final List<Optional<ProbeKey>> keys = new ArrayList<>();
    private final Probes probes = new Probes(tasks::add, this::probe);

    private Optional<String> probe(InetSocketAddress address, @Nullable ProbeKey key) {
        probed.add(address);
        keys.add(Optional.ofNullable(key));
        return address.getPort() == 9 ? Optional.of("connection refused") : Optional.empty();
    }

    private static WorkerId id(int number) {
        return WorkerId.of(new UUID(0, number));
    }

    private static ProbeRequest request(int number, int port) {
        return new ProbeRequest(id(number), "127.0.0.1:" + port);
    }

    private void perform() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void resultsStayUntilAHeartbeatHasDeliveredThem() {
        probes.begin(List.of(request(1, 9), request(2, 10)));
        assertThat(probes.results()).as("before the threads run").isEmpty();

        perform();

        List<ProbeResult> results = probes.results();
        assertThat(results)
                .containsExactlyInAnyOrder(
                        new ProbeResult(id(1), "127.0.0.1:9", "connection refused"),
                        new ProbeResult(id(2), "127.0.0.1:10", null));
        assertThat(probes.results()).as("the heartbeat failed").hasSize(2);
        probes.delivered(results);
        assertThat(probes.results()).isEmpty();
    }

    @Test
    void workerIsTriedWithItsKey() {
        ProbeKey key = ProbeKey.of(new byte[44]);

        probes.begin(List.of(new ProbeRequest(id(1), "127.0.0.1:9", key), request(2, 9)));
        perform();

        assertThat(keys).containsExactly(Optional.of(key), Optional.empty());
    }

    @Test
    void newerResultSurvivesTheDeliveryOfTheOlder() {
        probes.begin(List.of(request(1, 9)));
        perform();
        List<ProbeResult> older = probes.results();

        probes.begin(List.of(request(1, 10)));
        perform();
        probes.delivered(older);

        assertThat(probes.results()).containsExactly(new ProbeResult(id(1), "127.0.0.1:10", null));
    }

    @Test
    void atMostOneProbeOfAWorkerAndABoundedNumberAreUnderWay() {
        probes.begin(List.of(request(1, 9), request(1, 9)));
        assertThat(tasks).hasSize(1);

        probes.begin(IntStream.range(2, 100).mapToObj(it -> request(it, 9)).toList());

        assertThat(tasks).hasSize(Heartbeat.MAX_PROBES);
        perform();
        assertThat(probed).hasSize(Heartbeat.MAX_PROBES);
        probes.begin(List.of(request(50, 9)));
        assertThat(tasks).as("places are free again").hasSize(1);
    }
}
