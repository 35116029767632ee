package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.page.CommandOptions;
import dev.equipoise.testing.page.GeneratedPart;
import dev.equipoise.testing.page.SettingRow;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Compares the options of the agent in docs/configuration.md with its command line. */
class AgentOptionsPageTest {

    private static final Pattern NUMBER = Pattern.compile("\\(default: ([0-9.]+)\\)");

    private final CommandSpec agent = CommandSpec.forAnnotatedObject(new Agent());

    @Test
    void pageHasAllOptions() {
        GeneratedPart.of("docs/configuration.md", "options of the agent")
                .check("\n" + SettingRow.table("option", CommandOptions.of(agent)) + "\n");
    }

    @Test
    void everyOptionHasDescriptionUnitAndDefault() {
        List<SettingRow> rows = CommandOptions.of(agent);

        assertThat(rows).hasSizeGreaterThan(10);
        assertThat(rows.stream().flatMap(it -> it.faults().stream())).isEmpty();
    }

    @Test
    void defaultsInWordsAreThoseOfTheFields() {
        assertThat(agent.options())
                .filteredOn(it -> NUMBER.matcher(description(it)).find())
                .hasSizeGreaterThan(5)
                .allSatisfy(it -> {
                    String words =
                            NUMBER.matcher(description(it))
                                    .results()
                                    .map(found -> found.group(1))
                                    .findFirst()
                                    .orElseThrow();
                    assertThat(Double.parseDouble(String.valueOf(it.initialValue())))
                            .isEqualTo(Double.parseDouble(words));
                });
    }

    private static String description(OptionSpec option) {
        return String.join(" ", option.description());
    }
}
