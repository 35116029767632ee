package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.service.ServiceEndpoint;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.SoftwareVersion;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentTest {

    @TempDir private Path state;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --slow-down 0.5 | --slow-down must be at least 1, but was 0.5
                    --slow-down NaN | --slow-down must be at least 1, but was NaN
                    --threads 0     | --threads must be at least 1, but was 0
                    --status-port 70000 | --status-port must be from 0 to 65535, but was 70000
                    --join-timeout -1 | --join-timeout must be at least 0, but was -1
                    --service lab:8080  | Invalid value for option '--service': it must be an http or https address without user, query and fragment, whose path has letters, digits and -._~, such as http://lab:8080, but was lab:8080
                    --service https://ann:secret@lab | Invalid value for option '--service': it must be an http or https address without user, query and fragment, whose path has letters, digits and -._~, such as http://lab.example:8080, but was https://***
                    --threads two   | Invalid value for option '--threads': 'two' is not an int
                    --backend cublas | Invalid value for option '--backend': it must be onednn or nd4j, but was cublas
                    --label zone    | Value for option option '--label' (K=V) should be in KEY=VALUE format but was zone
                    --port -1       | --port must be from 0 to 65535, but was -1
                    --data-port 65536 | --data-port must be from 0 to 65535, but was 65536
                    --port 7000 --data-port 7000 | --port and --data-port must differ, but were both 7000
                    --join-token-file /nowhere/t | --join-token-file /nowhere/t cannot be read, or is empty
                    --ca ca.pem     | --ca applies to an https service, but --service is http://127.0.0.1:1
                    --service https://127.0.0.1:1 --ca /nowhere/ca.pem | --ca /nowhere/ca.pem: it does not exist
                    --members agents | --members must be host:port, but was agents
                    --nonsense      | Unknown option: '--nonsense'
                    """)
    void misuseGivesOneSentenceAndStatusTwo(String wrong, String sentence) {
        assertThat(run(wrong)).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("equipoise agent: " + sentence + " (--help tells more)");
    }

    /** The address of the service is reserved for documentation, so that no packet is sent. */
    @Test
    void loopbackAddressWithARemoteServiceIsRefusedWithTheWayOut() {
        assertThat(run("--service http://192.0.2.1:8080 --host 127.0.0.1")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith(
                        "equipoise agent: the other agents would look for this one at 127.0.0.1,"
                                + " which leads each host to itself, and the service"
                                + " http://192.0.2.1:8080 is on another host: ")
                .containsAnyOf("set --host to an address", "connect this host to their network");
    }

    @Test
    void unknownNameOfTheServiceIsTold() {
        assertThat(run("--service http://no-such-host.invalid:8080")).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "equipoise agent: could not join: the host name of --service has no"
                                + " address: http://no-such-host.invalid:8080");
    }

    @Test
    void helpNamesTheOptionsAndNoSecret() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("--service=URL", "--backend=B", "--slow-down=F", "Exit status:", " 77 ")
                .doesNotContain("eqj_");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void printsProductAndProtocolVersion(String option) {
        assertThat(run(option)).isZero();
        assertThat(out.toString().strip())
                .isEqualTo(
                        "equipoise agent %s (protocol %s)"
                                .formatted(SoftwareVersion.OWN, ProtocolVersion.OWN));
    }

    @Test
    void settingsTextOmitsTheJoinToken() {
        assertThat(settings(Map.of()).toString()).contains("alpha").doesNotContain("secret");
    }

    @Test
    void labelsDefaultToThoseOfTheBackend() {
        Map<String, String> labels = new Nd4jBackend(Device.CUDA).labels();

        assertThat(labels)
                .containsExactlyInAnyOrderEntriesOf(Map.of("backend", "nd4j", "device", "cuda"));
        assertThat(settings(Map.of("rack", "a")).labelsOver(labels))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("rack", "a", "backend", "nd4j", "device", "cuda"));
        assertThat(settings(Map.of("device", "old card")).labelsOver(labels))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("backend", "nd4j", "device", "old card"));
    }

    private static AgentSettings settings(Map<String, String> labels) {
        return new AgentSettings(
                ServiceEndpoint.of(URI.create("http://lab")),
                "eqj_secret",
                "alpha",
                AgentSettings.Address.withAnyPorts("127.0.0.1"),
                List.of(),
                1,
                1,
                labels,
                TestingTimeouts.PATIENT);
    }

    private int run(String wrong) {
        List<String> arguments =
                new ArrayList<>(List.of("--join-token", "eqj_t", "--state", state.toString()));
        if (!wrong.startsWith("--service")) {
            arguments.addAll(List.of("--service", "http://127.0.0.1:1"));
        }
        arguments.addAll(Arrays.asList(wrong.split(" ", -1)));
        return Agent.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
    }
}
