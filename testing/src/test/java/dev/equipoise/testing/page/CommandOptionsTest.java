package dev.equipoise.testing.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class CommandOptionsTest {

    private static CommandSpec command(OptionSpec... options) {
        CommandSpec command = CommandSpec.create().mixinStandardHelpOptions(true);
        List.of(options).forEach(command::addOption);
        return command;
    }

    private static OptionSpec.Builder option(String name, Class<?> type, String description) {
        return OptionSpec.builder(name).type(type).description(description);
    }

    @Test
    void optionsAreRowsWithoutHelpAndVersion() {
        assertThat(
                        CommandOptions.of(
                                command(
                                        option("--service", String.class, "Its address.")
                                                .paramLabel("URL")
                                                .required(true)
                                                .build(),
                                        option("--token", String.class, "Token (default: none).")
                                                .paramLabel("T")
                                                .defaultValue("${env:LAB_TOKEN}")
                                                .build(),
                                        option("--port", int.class, "port, 100%% free")
                                                .paramLabel("N")
                                                .defaultValue("0")
                                                .build(),
                                        option("--keep", boolean.class, "keep it").build())))
                .containsExactly(
                        new SettingRow("--service URL", "", "text", "required", "Its address."),
                        new SettingRow("--token T", "LAB_TOKEN", "text", "none", "Token."),
                        new SettingRow("--port N", "", "port", "`0`", "port, 100% free"),
                        new SettingRow("--keep", "", "flag", "off", "keep it"));
    }

    @Test
    void variableMayBeInTheWordsOfTheDefault() {
        OptionSpec service =
                option("--url", String.class, "address (default: $EQUIPOISE_URL, else none)")
                        .paramLabel("URL")
                        .build();

        assertThat(CommandOptions.of(command(service)))
                .containsExactly(
                        new SettingRow(
                                "--url URL",
                                "EQUIPOISE_URL",
                                "text",
                                "`$EQUIPOISE_URL`, else none",
                                "address"));
    }
}
