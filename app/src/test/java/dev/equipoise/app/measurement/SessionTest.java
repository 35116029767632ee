package dev.equipoise.app.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Preset;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final Instant LATER = Instant.EPOCH.plusSeconds(60);

    private final Profile one = profile(0);
    private final Profile two = profile(1);
    private final Profile three = profile(2);
    private final Session profiles = new Session(List.of(one, two, three));

    private static WorkerId worker(int rank) {
        return WorkerId.of(new UUID(0, rank));
    }

    private static Profile profile(int rank) {
        return new Profile(
                new LabWorker(
                        worker(rank),
                        "worker",
                        WorkerState.IDLE,
                        Cordon.OPEN,
                        new HostDescription("host", 1, 1, 1L << 33, "Linux", "oneDNN", 1),
                        Map.of(),
                        "address",
                        Set.of(),
                        Instant.EPOCH,
                        Instant.EPOCH),
                1,
                new Profile.Membership(new UUID(0, 2), rank, 3, new HostLoad(300), 1),
                ProfileRequest.of(Preset.MNIST_CNN.architecture()),
                Instant.EPOCH);
    }

    @Test
    void sessionIsPendingUntilOneWorkerBegins() {
        assertThat(profiles.isPending()).isTrue();

        two.begin();

        assertThat(profiles.isPending()).isFalse();
    }

    @Test
    void failureOfOneWorkerCancelsTheUnfinishedOthers() {
        three.cancel("lost a peer", Instant.EPOCH);

        Set<UUID> ended = profiles.fail(two, "out of memory", LATER);

        assertThat(ended).containsExactlyInAnyOrder(one.id(), two.id());
        assertThat(two.state()).isEqualTo(MeasurementState.FAILED);
        assertThat(two.failure()).isEqualTo("out of memory");
        assertThat(one.state()).isEqualTo(MeasurementState.CANCELLED);
        assertThat(one.failure())
                .isEqualTo(
                        "canceled with the profile of worker %s: out of memory"
                                .formatted(worker(1)));
        assertThat(three.failure()).isEqualTo("lost a peer");
    }

    @Test
    void withdrawnProfilesHaveNotFailed() {
        assertThat(profiles.withdraw("cordoned", LATER)).hasSize(3);

        assertThat(List.of(one, two, three))
                .extracting(Profile::state, Profile::failure)
                .containsOnly(tuple(MeasurementState.CANCELLED, null));
        assertThat(profiles.withdraw("again", LATER)).isEmpty();
    }

    @Test
    void withdrawnLinkMeasurementHasFailed() {
        var links = new LinkMeasurement(List.of(worker(1), worker(0)), Instant.EPOCH);

        new Session(List.of(links)).withdraw("cordoned", LATER);

        assertThat(links.state()).isEqualTo(MeasurementState.FAILED);
        assertThat(links.view().failure()).isEqualTo("cordoned");
        assertThat(links.view().finishedAt()).isEqualTo(LATER);
    }

    @Test
    void partIsFoundByItsWorker() {
        var links = new LinkMeasurement(List.of(worker(1), worker(0)), Instant.EPOCH);

        assertThat(profiles.partOf(worker(2))).isSameAs(three);
        assertThat(new Session(List.of(links)).partOf(worker(1))).isSameAs(links);
        assertThatThrownBy(() -> profiles.partOf(worker(9))).isInstanceOf(Problem.class);
    }
}
