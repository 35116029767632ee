package dev.equipoise.app.worker;

import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Idle workers with data addresses that have had the time to join the cluster. */
final class TestingWorkers {

    private TestingWorkers() {}

    static WorkerId id(int number) {
        return WorkerId.of(new UUID(0, number));
    }

    /** The data address of a worker. */
    static String address(int number) {
        return "host-%d:5702".formatted(number);
    }

    /** A worker that sees the workers 0 to 99. */
    static LabWorker worker(int number, PeerProbe... probes) {
        Set<WorkerId> all =
                IntStream.range(0, 100).mapToObj(TestingWorkers::id).collect(Collectors.toSet());
        return worker(number, WorkerState.IDLE, all, null, probes);
    }

    static LabWorker worker(
            int number,
            WorkerState state,
            Set<WorkerId> sees,
            @Nullable Instant formingUntil,
            PeerProbe... probes) {
        return new LabWorker(
                id(number),
                "worker-" + number,
                state,
                Cordon.OPEN,
                new HostDescription("host-" + number, 1, 1, 1, "Linux", "oneDNN", 1),
                null,
                Map.of(),
                "host-%d:5701".formatted(number),
                sees,
                null,
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                ProtocolVersion.OWN,
                address(number),
                formingUntil,
                List.of(probes),
                null);
    }

    static PeerProbe missed(int number) {
        return new PeerProbe(
                id(number),
                address(number),
                "connection timed out",
                Instant.EPOCH,
                1,
                Instant.EPOCH);
    }

    static PeerProbe reached(int number) {
        return new PeerProbe(id(number), address(number), null, Instant.EPOCH, 0, Instant.EPOCH);
    }
}
