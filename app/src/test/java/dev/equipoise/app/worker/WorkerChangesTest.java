package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerChangesTest {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final HostDescription HOST = TestingLab.onHost("one", "here").host();

    private static Registration registration(HostDescription host, @Nullable String dataAddress) {
        Registration plain = TestingLab.registration("one");
        return new Registration(
                plain.name(),
                host,
                plain.clusterAddress(),
                plain.labels(),
                plain.credential(),
                null,
                dataAddress);
    }

    private static LabWorker worker(@Nullable String dataAddress) {
        Registration before = registration(HOST, dataAddress);
        var id = WorkerId.of(new UUID(0, 1));
        return new LabWorker(
                id,
                before.name(),
                WorkerState.IDLE,
                Cordon.OPEN,
                HOST,
                null,
                before.labels(),
                before.clusterAddress(),
                Set.of(id),
                null,
                null,
                NOW,
                NOW,
                ProtocolVersion.OWN,
                dataAddress,
                null,
                PeerProbes.NONE.peers(),
                null);
    }

    private static @Nullable String sentence(
            @Nullable String before, HostDescription host, @Nullable String now) {
        return WorkerChanges.between(worker(before), registration(host, now)).sentence();
    }

    @Test
    void anotherPortAndAnUnknownAddressAreNoChanges() {
        assertThat(sentence("10.0.0.5:5702", HOST, "10.0.0.5:6000")).isNull();
        assertThat(sentence("[fd00::5]:5702", HOST, "[fd00::5]:6000")).isNull();
        assertThat(sentence(null, HOST, "10.0.0.5:5702")).isNull();
        assertThat(sentence("10.0.0.5:5702", HOST, null)).isNull();
    }

    @Test
    void anotherAddressOrHostNameMakesLinksStale() {
        assertThat(sentence("10.0.0.5:5702", HOST, "10.0.0.6:5702"))
                .isEqualTo("links are stale, since it has moved: address 10.0.0.5, now 10.0.0.6");
        assertThat(
                        sentence(
                                "10.0.0.5:5702",
                                TestingLab.onHost("one", "there").host(),
                                "10.0.0.5:5702"))
                .isEqualTo("links are stale, since it has moved: host here, now there");
    }

    @Test
    void otherHardwareMakesProfilesAndLinksStale() {
        var host = new HostDescription("here", 16, 2, 1L << 34, "Linux amd64", "oneDNN", 1.5, null);

        assertThat(sentence("10.0.0.5:5702", host, "10.0.0.6:5702"))
                .isEqualTo(
                        "profiles and links are stale, since its host has changed: processors 8,"
                                + " now 16; address 10.0.0.5, now 10.0.0.6");
    }
}
