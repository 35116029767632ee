package dev.equipoise.app.experiment;

import static java.util.stream.Collectors.toMap;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Partners;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads how replicas agree; notes everything that is wrong in it. */
final class MethodReader {

    static final int MOST_ROUNDS = 1_000_000_000;
    private static final int MOST_SERVERS = 64;
    private static final int LARGEST_BUCKET = 1024;
    private static final double LEAST = Float.MIN_NORMAL;
    private static final double MOST = Float.MAX_VALUE;
    private static final double LARGEST_RATE = 1000;
    private static final double MOST_KEPT = 0.999999;

    /** Of no more than so many elements is one left. */
    private static final double LEAST_FRACTION = 1e-9;

    private MethodReader() {}

    static Synchronization synchronization(Fields choice) {
        String kind =
                choice.kind(
                        "bsp",
                        List.of(
                                "bsp",
                                "local-sgd",
                                "diloco",
                                "async",
                                "stale-synchronous",
                                "ad-psgd"));
        Synchronization read =
                switch (kind) {
                    case "local-sgd" -> localSgd(choice);
                    case "diloco" ->
                            new Synchronization.DiLoCo(
                                    period(choice),
                                    choice.number("outerLearningRate", 0.7, LEAST, LARGEST_RATE),
                                    choice.number("outerMomentum", 0.9, 0, MOST_KEPT));
                    case "async" ->
                            new Synchronization.Async(
                                    choice.given("maxStaleness")
                                            ? choice.integer("maxStaleness", null, 1, MOST_ROUNDS)
                                            : null,
                                    choice.named("weighting", Synchronization.Weighting.WEIGHTED),
                                    correction(choice.choice("correction")));
                    case "stale-synchronous" ->
                            new Synchronization.StaleSynchronous(
                                    choice.integer("bound", null, 1, MOST_ROUNDS),
                                    choice.flag("barrier", false),
                                    correction(choice.choice("correction")));
                    case "ad-psgd" -> new Synchronization.AdPsgd();
                    default -> new Synchronization.Bsp();
                };
        choice.end();
        return read;
    }

    private static Synchronization localSgd(Fields choice) {
        return new Synchronization.LocalSgd(
                period(choice),
                choice.named("order", Synchronization.Order.STEP_THEN_AVERAGE),
                choice.named("momentum", Synchronization.Momentum.LOCAL));
    }

    private static int period(Fields choice) {
        return choice.integer("period", null, 1, MOST_ROUNDS);
    }

    private static StalenessCorrection correction(Fields choice) {
        String kind =
                choice.kind("none", List.of("none", "inverse", "inverse-power", "drop-above"));
        StalenessCorrection read =
                switch (kind) {
                    case "inverse" -> new StalenessCorrection.Inverse();
                    case "inverse-power" ->
                            new StalenessCorrection.InversePower(
                                    choice.number("power", null, LEAST, 4));
                    case "drop-above" ->
                            new StalenessCorrection.DropAbove(
                                    choice.integer("staleness", null, 0, MOST_ROUNDS));
                    default -> new StalenessCorrection.None();
                };
        choice.end();
        return read;
    }

    static Topology topology(Fields choice) {
        String kind =
                choice.kind("all-reduce", List.of("all-reduce", "parameter-server", "gossip"));
        Topology read =
                switch (kind) {
                    case "parameter-server" ->
                            new Topology.ParameterServer(
                                    choice.integer("servers", 1, 1, MOST_SERVERS),
                                    choice.flag("perLayer", false),
                                    choice.named("aggregate", Topology.Aggregate.MEAN));
                    case "gossip" -> gossip(choice);
                    default ->
                            new Topology.AllReduce(
                                    choice.named("algorithm", Topology.Algorithm.RING),
                                    choice.named("order", Topology.Order.BY_RANK));
                };
        choice.end();
        return read;
    }

    private static Topology gossip(Fields choice) {
        return new Topology.Gossip(
                partners(choice.choice("schedule")),
                choice.named("payload", Topology.Payload.WEIGHTS),
                choice.named("mixing", Topology.Mixing.UNIFORM),
                choice.integer("globalAverageEvery", 0, 0, MOST_ROUNDS));
    }

    private static Partners partners(Fields choice) {
        String kind =
                choice.kind(
                        "linear", List.of("linear", "dissemination", "fixed", "random-matching"));
        Partners read =
                switch (kind) {
                    case "dissemination" -> new Partners.Dissemination();
                    case "fixed" ->
                            new Partners.Fixed(
                                    choice.integer(
                                            "distance", 1, 1, ConfigurationReader.MOST_REPLICAS));
                    case "random-matching" -> new Partners.RandomMatching();
                    default -> new Partners.Linear(choice.flag("literalPairing", false));
                };
        choice.end();
        return read;
    }

    static Compression compression(Fields choice) {
        String kind =
                choice.kind(
                        "none",
                        List.of(
                                "none",
                                "threshold",
                                "adaptive-threshold",
                                "top-k",
                                "random-k",
                                "qsgd",
                                "sign",
                                "power-sgd"));
        Compression read =
                switch (kind) {
                    case "threshold" ->
                            new Compression.Threshold(
                                    choice.number("threshold", null, 0, MOST), feedback(choice));
                    case "adaptive-threshold" ->
                            new Compression.AdaptiveThreshold(fraction(choice), feedback(choice));
                    case "top-k" -> new Compression.TopK(fraction(choice), feedback(choice));
                    case "random-k" -> new Compression.RandomK(fraction(choice), feedback(choice));
                    case "qsgd" ->
                            new Compression.Qsgd(
                                    choice.integer("bits", 4, 2, 8),
                                    choice.integer("bucket", 512, 1, LARGEST_BUCKET),
                                    choice.flag("errorFeedback", false));
                    case "sign" -> new Compression.Sign(feedback(choice));
                    case "power-sgd" ->
                            new Compression.PowerSgd(choice.integer("rank", null, 1, 256));
                    default -> new Compression.None();
                };
        choice.end();
        return read;
    }

    private static double fraction(Fields choice) {
        return choice.number("fraction", null, LEAST_FRACTION, 1);
    }

    private static boolean feedback(Fields choice) {
        return choice.flag("errorFeedback", true);
    }

    /** What the values of an enumeration are called in definitions. */
    static <E extends Enum<E>> Map<String, E> names(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .collect(
                        toMap(
                                it -> it.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                                it -> it,
                                (first, _) -> first,
                                LinkedHashMap::new));
    }
}
