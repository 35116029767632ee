package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of the trained model that a rank of a generation stored after an epoch. The file name
 * contains all of it, so that no model overwrites another.
 *
 * @param upload distinguishes repeated uploads of the same model: one may fail, and its file be
 *     removed, while another is recorded
 */
record ModelFile(RunId run, int epoch, int generation, int rank, UUID upload) implements RunFile {

    private static final String ID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";
    private static final String NUMBER = "-([0-9]{1,9})";
    private static final Pattern NAME =
            Pattern.compile(ID + NUMBER.repeat(3) + "-" + ID + "[.]safetensors");

    /** Parses a file name; empty for other files. */
    static Optional<ModelFile> named(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(
                        new ModelFile(
                                RunId.of(UUID.fromString(parts.group(1))),
                                Integer.parseInt(parts.group(2)),
                                Integer.parseInt(parts.group(3)),
                                Integer.parseInt(parts.group(4)),
                                UUID.fromString(parts.group(5))))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "%s-%d-%d-%d-%s.safetensors".formatted(run, epoch, generation, rank, upload);
    }

    @Override
    public String kind() {
        return "model";
    }
}
