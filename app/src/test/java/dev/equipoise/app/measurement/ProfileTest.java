package dev.equipoise.app.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Preset;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProfileTest {

    private static final Instant LATER = Instant.EPOCH.plusSeconds(60);

    private static final HostDescription HOST =
            new HostDescription("host", 1, 1, 1L << 33, "Linux", "oneDNN", 1);

    private final Profile profile =
            new Profile(
                    new LabWorker(
                            WorkerId.of(new UUID(0, 1)),
                            "worker",
                            WorkerState.IDLE,
                            Cordon.OPEN,
                            HOST,
                            Map.of(),
                            "address",
                            Set.of(),
                            Instant.EPOCH,
                            Instant.EPOCH),
                    1,
                    new Profile.Membership(new UUID(0, 2), 0, 2, new HostLoad(200), 1),
                    ProfileRequest.of(Preset.MNIST_CNN.architecture()),
                    Instant.EPOCH);

    @Test
    void withdrawnProfileHasNoFailure() {
        profile.begin();
        profile.withdraw("canceled", LATER);

        assertThat(profile.state()).isEqualTo(MeasurementState.CANCELLED);
        assertThat(profile.failure()).isNull();
        assertThat(profile.view(HOST).failure()).isNull();
        assertThat(profile.view(HOST).finishedAt()).isEqualTo(LATER);
    }

    @Test
    void profileOfOtherHardwareIsStaleAndTellsWhy() {
        var more = new HostDescription("renamed", 4, 1, 1L << 33, "Linux", "oneDNN", 1);

        assertThat(profile.describes(HOST)).isTrue();
        assertThat(profile.view(HOST).stale()).isEmpty();
        assertThat(profile.describes(more)).isFalse();
        assertThat(profile.view(more).stale()).containsExactly("processors 1, now 4");
    }

    @Test
    void pendingProfileCanBeWithdrawn() {
        profile.withdraw("canceled", LATER);

        assertThat(profile.state()).isEqualTo(MeasurementState.CANCELLED);
    }

    @Test
    void canceledProfileHasTheFailureOfItsPeer() {
        profile.cancel("the other was lost", LATER);

        assertThat(profile.state()).isEqualTo(MeasurementState.CANCELLED);
        assertThat(profile.failure()).isEqualTo("the other was lost");
    }

    @Test
    void finishedProfileCannotBeWithdrawn() {
        profile.fail("out of memory", LATER);

        assertThatThrownBy(() -> profile.withdraw("canceled", LATER))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("is FAILED and cannot become CANCELLED");
        assertThat(profile.failure()).isEqualTo("out of memory");
    }
}
