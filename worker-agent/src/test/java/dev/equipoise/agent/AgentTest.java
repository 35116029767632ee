package dev.equipoise.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentTest {

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
                    --join-timeout -1 | --join-timeout must be at least 0, but was -1
                    --service ftp://lab | --service must be an http or https address, but was ftp://lab
                    --service lab:8080  | --service must be an http or https address, but was lab:8080
                    --service http:///x | --service must be an http or https address, but was http:///x
                    --service http://a_b | --service must be an http or https address, but was http://a_b
                    --threads two   | Invalid value for option '--threads': 'two' is not an int
                    --label zone    | Value for option option '--label' (K=V) should be in KEY=VALUE format but was zone
                    --nonsense      | Unknown option: '--nonsense'
                    """)
    void misuseIsOneSentenceAndStatusTwo(String wrong, String sentence) {
        assertThat(run(wrong)).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("equipoise agent: " + sentence + " (--help tells more)");
    }

    @Test
    void helpNamesTheOptionsAndNoSecret() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("--service=URL", "--slow-down=F")
                .doesNotContain("eqj_");
    }

    @Test
    void theVersionIsSaid() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("equipoise agent ");
    }

    @Test
    void theSettingsKeepTheJoinTokenOutOfTheirText() {
        var settings =
                new Settings(
                        URI.create("http://lab"),
                        "eqj_secret",
                        "alpha",
                        "127.0.0.1",
                        1,
                        1,
                        Map.of(),
                        TestingTimeouts.PATIENT);

        assertThat(settings.toString()).contains("alpha").doesNotContain("secret");
    }

    private int run(String wrong) {
        List<String> arguments = new ArrayList<>(List.of("--join-token", "eqj_t"));
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
