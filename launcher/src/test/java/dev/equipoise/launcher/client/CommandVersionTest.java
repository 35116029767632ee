package dev.equipoise.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandVersionTest {

    @Command(name = "outer", subcommands = Middle.class, mixinStandardHelpOptions = true)
    static class Outer {}

    @Command(name = "middle", subcommands = Inner.class, mixinStandardHelpOptions = true)
    static class Middle {}

    @Command(name = "inner", mixinStandardHelpOptions = true)
    static class Inner {}

    @ParameterizedTest
    @CsvSource({
        "--version, outer",
        "middle --version, outer middle",
        "middle inner -V, outer middle inner"
    })
    void commandsAtAnyDepthTellTheirVersion(String line, String name) {
        var out = new StringWriter();
        var command = new CommandLine(new Outer()).setOut(new PrintWriter(out, true));
        CommandVersion.provide(command);

        assertThat(command.execute(line.split(" ", -1))).isZero();
        assertThat(out.toString().strip()).isEqualTo(name + " (built from source)");
    }
}
