package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of the trained model that a rank of a generation stored after an epoch. The file name
 * contains all of it, so that no model overwrites another.
 */
record ModelFile(RunId run, int epoch, int generation, int rank) implements RunFile {

    private static final String NUMBER = "-([0-9]{1,9})";
    private static final Pattern NAME =
            Pattern.compile(
                    "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
                            + NUMBER.repeat(3)
                            + "[.]safetensors");

    /** Parses a file name; empty for other files. */
    static Optional<ModelFile> named(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(
                        new ModelFile(
                                RunId.of(UUID.fromString(parts.group(1))),
                                Integer.parseInt(parts.group(2)),
                                Integer.parseInt(parts.group(3)),
                                Integer.parseInt(parts.group(4))))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "%s-%d-%d-%d.safetensors".formatted(run, epoch, generation, rank);
    }

    @Override
    public String kind() {
        return "model";
    }
}
