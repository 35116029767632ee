package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReleaseVersionTest {

    private static ReleaseVersion release(String product, String protocol) {
        return new ReleaseVersion(SoftwareVersion.of(product), ProtocolVersion.of(protocol));
    }

    @Test
    void adjacentProtocolVersionsWorkTogetherWhateverTheProducts() {
        assertThat(ReleaseVersion.mismatch(release("7.0.0", "0.2"), release("3.1.0", "0.3")))
                .isEmpty();
        assertThat(ReleaseVersion.mismatch(release("3.1.0", "0.3"), release("7.0.0", "0.2")))
                .isEmpty();
    }

    private static String sentence(String agent, String service, String remedy) {
        return "the agent speaks protocol %s and the service protocol %s, which may differ by one minor version at most: %s"
                .formatted(agent, service, remedy);
    }

    @Test
    void olderAgentIsToBeUpgraded() {
        assertThat(ReleaseVersion.mismatch(release("0.1.0", "0.1"), release("0.4.0", "0.3")))
                .contains(
                        sentence(
                                "0.1 (version 0.1.0)",
                                "0.3 (version 0.4.0)",
                                "upgrade the agent to version 0.4.0"));
    }

    @Test
    void newerAgentNeedsANewerService() {
        assertThat(ReleaseVersion.mismatch(release("1.0.0", "1.0"), release("0.4.0", "0.3")))
                .contains(
                        sentence(
                                "1.0 (version 1.0.0)",
                                "0.3 (version 0.4.0)",
                                "upgrade the service to version 1.0.0, or install an older agent,"
                                        + " of version 0.4.0"));
    }

    @Test
    void serviceThatReportsNoVersionSpeaksTheFirstProtocol() {
        var admission = new Admission(WorkerId.of(new UUID(0, 1)), "lab", List.of());

        assertThat(ReleaseVersion.mismatch(release("0.5.0", "0.3"), admission.release()))
                .contains(
                        sentence(
                                "0.3 (version 0.5.0)",
                                "0.1 (unknown version)",
                                "upgrade the service to version 0.5.0, or install an older agent"));
        assertThat(ReleaseVersion.mismatch(release("0.2.0", "0.2"), admission.release())).isEmpty();
    }
}
