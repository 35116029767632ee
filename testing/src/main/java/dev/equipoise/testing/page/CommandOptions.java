package dev.equipoise.testing.page;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a picocli command as rows of a table, without those for help and version. */
public final class CommandOptions {

    /** A variable that picocli reads, or one that the words of the default name. */
    private static final Pattern VARIABLE =
            Pattern.compile(
                    "\\$\\{env:(?<read>\\w+)}|\\(default:[^()]*?\\$(?<named>EQUIPOISE_[A-Z_]+)");

    private CommandOptions() {}

    /**
     * Returns the rows in the order of the declarations.
     *
     * @param command its variables are not interpolated afterwards
     */
    public static List<SettingRow> of(CommandSpec command) {
        command.interpolateVariables(false);
        return command.options().stream()
                .filter(it -> !it.usageHelp() && !it.versionHelp())
                .map(CommandOptions::row)
                .toList();
    }

    private static SettingRow row(OptionSpec option) {
        boolean isFlag = option.arity().max() == 0;
        String names = String.join(", ", option.names());
        String description = String.join(" ", option.description()).replace("%%", "%");
        SettingRow row =
                SettingRow.of(
                        isFlag ? names : names + " " + option.paramLabel(),
                        variable(option, description),
                        option.type(),
                        defaultValue(option, isFlag),
                        description);
        return isFlag
                ? new SettingRow(
                        row.name(), row.variable(), "flag", row.defaultValue(), row.meaning())
                : row;
    }

    private static String defaultValue(OptionSpec option, boolean isFlag) {
        if (option.required()) {
            return "required";
        }
        if (isFlag) {
            return "off";
        }
        String value = option.defaultValue();
        return value == null || value.startsWith("${env:") ? "" : "`" + value + "`";
    }

    private static String variable(OptionSpec option, String description) {
        Matcher variable = VARIABLE.matcher(option.defaultValue() + " " + description);
        return variable.find()
                ? Stream.of("read", "named")
                        .map(variable::group)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse("")
                : "";
    }
}
