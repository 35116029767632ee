package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Digests of the parts of a data set as a rank has read them: the samples in their order, with
 * their normalization and augmentation, of the training and the test set.
 */
public record DatasetDigest(List<PartDigest> parts) {

    /** Longest encoded digest, in bytes. */
    public static final int MAX_BYTES = 4096;

    private static final String PART_END = "\n";
    private static final String FIELD_END = "\t";
    private static final int FIELDS = 3;
    private static final int MAX_RANKS = 8;

    /**
     * Digest of a part.
     *
     * @param name of the part, for example {@code training inputs}
     * @param source files from which it was read
     * @param digest first 64 bits of SHA-256, in hexadecimal
     */
    public record PartDigest(String name, String source, String digest) {}

    public DatasetDigest {
        parts = List.copyOf(parts);
    }

    /** Computes the digests in one pass over the samples in memory. */
    public static DatasetDigest of(DatasetSplit split) {
        DatasetFiles files = split.files();
        Dataset training = split.training();
        Dataset test = split.test();
        return new DatasetDigest(
                List.of(
                        part("training inputs", files.trainingInputs(), it -> inputs(training, it)),
                        part("training labels", files.trainingLabels(), it -> labels(training, it)),
                        part("test inputs", files.testInputs(), it -> inputs(test, it)),
                        part("test labels", files.testLabels(), it -> labels(test, it)),
                        part(
                                "class names",
                                files.trainingLabels(),
                                it -> split.classNames().forEach(it::add))));
    }

    private static PartDigest part(String name, String source, Consumer<SampleDigest> content) {
        var digest = new SampleDigest();
        content.accept(digest);
        return new PartDigest(name, source, digest.hex());
    }

    private static void inputs(Dataset samples, SampleDigest digest) {
        digest.add(samples.shape().toString());
        digest.add(samples.size());
        samples.addInputs(digest, samples.size());
    }

    private static void labels(Dataset samples, SampleDigest digest) {
        digest.add(samples.classes());
        digest.add(samples.size());
        samples.addLabels(digest, samples.size());
    }

    /** Encodes the digests in at most {@link #MAX_BYTES} bytes. */
    public byte[] encode() {
        return parts.stream()
                .map(part -> String.join(FIELD_END, part.name(), part.source(), part.digest()))
                .collect(Collectors.joining(PART_END))
                .getBytes(UTF_8);
    }

    /** Decodes the digests of a peer; empty if it cannot have encoded them. */
    public static Optional<DatasetDigest> decode(byte[] encoded) {
        List<PartDigest> parts = new ArrayList<>();
        for (String part : new String(encoded, UTF_8).split(PART_END, -1)) {
            String[] fields = part.split(FIELD_END, -1);
            if (fields.length != FIELDS) {
                return Optional.empty();
            }
            parts.add(new PartDigest(fields[0], fields[1], fields[2]));
        }
        return Optional.of(new DatasetDigest(parts));
    }

    /**
     * Describes how the data of the ranks differ.
     *
     * @param byRank digests in rank order
     * @param workers names of the workers in rank order
     * @return the parts that differ, with files, digests, ranks and workers; empty if all are equal
     */
    public static Optional<String> difference(List<DatasetDigest> byRank, List<String> workers) {
        List<String> differing =
                byRank.getFirst().parts().stream()
                        .map(PartDigest::name)
                        .map(name -> differenceOf(name, byRank, workers))
                        .flatMap(Optional::stream)
                        .toList();
        return differing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", differing));
    }

    private static Optional<String> differenceOf(
            String name, List<DatasetDigest> byRank, List<String> workers) {
        Map<String, List<String>> ranks = new LinkedHashMap<>();
        Map<String, String> sources = new LinkedHashMap<>();
        for (int rank = 0; rank < byRank.size(); rank++) {
            PartDigest part = byRank.get(rank).part(name);
            ranks.computeIfAbsent(part.digest(), _ -> new ArrayList<>())
                    .add("rank %d (%s)".formatted(rank, workers.get(rank)));
            sources.putIfAbsent(part.digest(), part.source());
        }
        return ranks.size() == 1
                ? Optional.empty()
                : Optional.of(
                        ranks.entrySet().stream()
                                .map(it ->
                                        "%s with digest %s on %s"
                                                .formatted(
                                                        sources.get(it.getKey()),
                                                        it.getKey(),
                                                        listed(it.getValue())))
                                .collect(Collectors.joining(", ", name + ": ", "")));
    }

    /** Returns the part with a name; one without a source and a digest if there is none. */
    private PartDigest part(String name) {
        return parts.stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .orElse(new PartDigest(name, "nothing", "none"));
    }

    private static String listed(List<String> ranks) {
        String some = String.join(", ", ranks.subList(0, Math.min(MAX_RANKS, ranks.size())));
        int others = ranks.size() - MAX_RANKS;
        return others > 0 ? "%s and %d more ranks".formatted(some, others) : some;
    }
}
