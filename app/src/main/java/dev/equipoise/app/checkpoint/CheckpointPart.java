package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of the part that one rank of one generation stored after an epoch. The file name
 * contains all of it, so that a generation never overwrites a part of an earlier one.
 */
record CheckpointPart(RunId run, int epoch, int generation, int rank) implements RunFile {

    private static final String NUMBER = "-([0-9]{1,9})";
    private static final Pattern NAME =
            Pattern.compile(
                    "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
                            + NUMBER.repeat(3)
                            + "[.]checkpoint");

    static CheckpointPart of(CheckpointHeader header) {
        return new CheckpointPart(header.run(), header.epoch(), header.generation(), header.rank());
    }

    /** Parses a file name; empty for other files. */
    static Optional<CheckpointPart> named(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(
                        new CheckpointPart(
                                RunId.of(UUID.fromString(parts.group(1))),
                                Integer.parseInt(parts.group(2)),
                                Integer.parseInt(parts.group(3)),
                                Integer.parseInt(parts.group(4))))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "%s-%d-%d-%d.checkpoint".formatted(run, epoch, generation, rank);
    }

    @Override
    public String kind() {
        return "checkpoint";
    }

    /** Whether an earlier generation stored the part, or this one up to an epoch. */
    boolean isUpTo(int lastGeneration, int lastEpoch) {
        return generation < lastGeneration || (generation == lastGeneration && epoch <= lastEpoch);
    }
}
