package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.page.CommandOptions;
import dev.equipoise.testing.page.GeneratedPart;
import dev.equipoise.testing.page.SettingRow;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Compares the options of a lab in docs/configuration.md with those of its commands. */
class LabOptionsPageTest {

    private final List<SettingRow> up = rows(new Up());
    private final List<SettingRow> demo = rows(new Demo());
    private final List<SettingRow> run = rows(new Run());

    private static List<SettingRow> rows(Object command) {
        return CommandOptions.of(CommandSpec.forAnnotatedObject(command));
    }

    @Test
    void pageHasAllOptions() {
        GeneratedPart.of("docs/configuration.md", "options of a lab")
                .check(
                        section("Options of `up`, `demo` and `run`", up)
                                + section("Further options of `demo`", without(up, demo))
                                + section("Further options of `run`", without(up, run))
                                + "\n");
    }

    private static String section(String title, List<SettingRow> rows) {
        return "\n### %s\n\n%s".formatted(title, SettingRow.table("option", rows));
    }

    private static List<SettingRow> without(List<SettingRow> known, List<SettingRow> rows) {
        return rows.stream().filter(it -> !known.contains(it)).toList();
    }

    @Test
    void optionsOfUpAreThoseOfAllLabs() {
        assertThat(up).isNotEmpty();
        assertThat(demo).containsAll(up);
        assertThat(run).containsAll(up);
    }

    @Test
    void everyOptionHasDescriptionUnitAndDefault() {
        assertThat(
                        Stream.of(up, demo, run)
                                .flatMap(List::stream)
                                .flatMap(it -> it.faults().stream()))
                .isEmpty();
    }
}
