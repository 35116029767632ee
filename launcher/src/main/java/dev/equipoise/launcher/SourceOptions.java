package dev.equipoise.launcher;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** Options that name the definitions of a command. */
public final class SourceOptions {

    @Parameters(
            paramLabel = "FILE|PRESET",
            description = "a definition in YAML or JSON, or the name of a preset")
    private String name = "";

    @Option(
            names = "--scale",
            paramLabel = "S",
            description = "scale of a preset, such as small (default: its first)")
    private @Nullable String scale;

    @Option(
            names = "--set",
            paramLabel = "path=value",
            description =
                    "set a field of the definition, as in training.epochs=2; the value is a word, a"
                            + " path or JSON; repeatable (default: none)")
    private List<String> settings = new ArrayList<>();

    /**
     * Returns the source of the definitions.
     *
     * @throws UsageError if a {@code --set} is no path and value
     */
    public Source source() {
        return new Source(name, scale, Overrides.of(settings, JsonMapper.builder().build()));
    }
}
