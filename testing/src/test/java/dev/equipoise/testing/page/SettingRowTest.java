package dev.equipoise.testing.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingRowTest {

    private static SettingRow number(String name, String defaultValue, String description) {
        return SettingRow.of(name, "", int.class, defaultValue, description);
    }

    @Test
    void numberTakesItsUnitFromItsFirstWords() {
        assertThat(number("rate", "`5`", "requests per second in the long run").kind())
                .isEqualTo("requests per second");
        assertThat(number("--port", "`0`", "Port of the service").kind()).isEqualTo("port");
        assertThat(SettingRow.of("unit", "", TimeUnit.class, "`days`", "the unit").kind())
                .startsWith("`nanoseconds` or `microseconds` or");
    }

    @Test
    void defaultInWordsLeavesTheMeaning() {
        SettingRow row =
                SettingRow.of(
                        "--state",
                        "STATE",
                        Path.class,
                        "",
                        "Folder of the agent\n     (default: {@code a} in $XDG_STATE_HOME), see --name.");

        assertThat(row)
                .isEqualTo(
                        new SettingRow(
                                "--state",
                                "STATE",
                                "path",
                                "`a` in `$XDG_STATE_HOME`",
                                "Folder of the agent, see `--name`."));
        assertThat(row.faults()).isEmpty();
    }

    @Test
    void knownDefaultPrecedesItsWords() {
        assertThat(SettingRow.of("a", "", Duration.class, "`5s`", "time (default: some)"))
                .isEqualTo(new SettingRow("a", "", "duration", "`5s`", "time"));
    }

    @ParameterizedTest
    @CsvSource({
        "a, `1`, '', a has no description",
        "a, `1`, how many, a has no unit: begin",
        "a.per-second, `1`, requests in each second, a.per-second has no unit of a rate",
        "a, '', requests at once, a has no default: add words"
    })
    void missingPartIsAFault(
            String name, String defaultValue, String description, String sentence) {
        assertThat(number(name, defaultValue, description).faults())
                .anySatisfy(it -> assertThat(it).startsWith(sentence));
    }

    @Test
    void columnOfVariablesIsLeftOutIfNoRowHasOne() {
        var plain = new SettingRow("--a", "", "flag", "off", "one | two");
        var other = new SettingRow("--b B", "B_B", "text", "none", "three");

        assertThat(SettingRow.table("option", List.of(plain)))
                .isEqualTo(
                        """
                        | option | value | default | meaning |
                        | --- | --- | --- | --- |
                        | `--a` | flag | off | one \\| two |
                        """);
        assertThat(SettingRow.table("option", List.of(plain, other)))
                .isEqualTo(
                        """
                        | option | environment variable | value | default | meaning |
                        | --- | --- | --- | --- | --- |
                        | `--a` |  | flag | off | one \\| two |
                        | `--b B` | `B_B` | text | none | three |
                        """);
    }
}
