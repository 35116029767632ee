package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Bsp;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Partners;
import java.util.List;

/** Reads synchronization, topology and compression, and reports everything that is wrong. */
final class MethodReader {

    private static final List<String> SYNCHRONIZATIONS =
            List.of("bsp", "local-sgd", "diloco", "async", "stale-synchronous", "ad-psgd");

    private static final List<String> COMPRESSIONS =
            List.of(
                    "none",
                    "threshold",
                    "adaptive-threshold",
                    "top-k",
                    "random-k",
                    "qsgd",
                    "sign",
                    "power-sgd",
                    "sampled-rows");

    private static final int MAX_ROUNDS = 1_000_000_000;

    /** The number of sums in flight that stands for the rounds of an epoch. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    private static final int MAX_SERVERS = 64;
    private static final String BUCKET = "bucketMegabytes";
    private static final String FIRST_BUCKET = "firstBucketMegabytes";

    /** A smaller bucket has no measurable advantage over a whole layer. */
    private static final double MIN_BUCKET_MEGABYTES = 0.001;

    /** Larger buckets would not fit into a frame. */
    private static final double MAX_BUCKET_MEGABYTES = 2000;

    private static final int MAX_BUCKET = 1024;
    private static final double MIN_POSITIVE = Float.MIN_NORMAL;
    private static final double MAX_THRESHOLD = Float.MAX_VALUE;
    private static final double MAX_RATE = 1000;
    private static final double MAX_KEPT = 0.999999;

    /** The smallest fraction, which leaves one of this many elements. */
    private static final double MIN_FRACTION = 1e-9;

    private MethodReader() {}

    static Synchronization synchronization(JsonFieldReader choice) {
        String kind = choice.kind("bsp", SYNCHRONIZATIONS);
        Synchronization read =
                switch (kind) {
                    case "local-sgd" -> localSgd(choice);
                    case "diloco" ->
                            new Synchronization.DiLoCo(
                                    period(choice),
                                    choice.number("outerLearningRate", 0.7, MIN_POSITIVE, MAX_RATE),
                                    choice.number("outerMomentum", 0.9, 0, MAX_KEPT));
                    case "async" -> async(choice);
                    case "stale-synchronous" ->
                            new Synchronization.StaleSynchronous(
                                    choice.integer("bound", null, 1, MAX_ROUNDS),
                                    choice.flag("barrier", false),
                                    correction(choice.choice("correction")));
                    case "ad-psgd" -> new Synchronization.AdPsgd();
                    default -> bsp(choice);
                };
        choice.end();
        return read;
    }

    /** Reads buckets if any of their fields is given. */
    private static Synchronization bsp(JsonFieldReader choice) {
        boolean overlap = choice.flag("overlap", false);
        boolean hasSizes = choice.given(BUCKET) || choice.given(FIRST_BUCKET);
        if (!overlap && !hasSizes) {
            return new Synchronization.Bsp();
        }
        double bucket = megabytes(choice, BUCKET, Bsp.DEFAULT_BUCKET_MEGABYTES);
        double first = Math.min(bucket, Bsp.DEFAULT_FIRST_BUCKET_MEGABYTES);
        return new Synchronization.Bsp(overlap, bucket, megabytes(choice, FIRST_BUCKET, first));
    }

    private static double megabytes(JsonFieldReader choice, String name, double fallback) {
        return choice.number(name, fallback, MIN_BUCKET_MEGABYTES, MAX_BUCKET_MEGABYTES);
    }

    /** Fields that depend on the topology stay open if they are not given. */
    private static Synchronization async(JsonFieldReader choice) {
        return new Synchronization.Async(
                choice.given("maxStaleness")
                        ? choice.integer("maxStaleness", null, 1, MAX_ROUNDS)
                        : null,
                choice.named("weighting", Synchronization.Weighting.WEIGHTED),
                correction(choice.choice("correction")),
                choice.given("inFlight") ? inFlight(choice) : null,
                choice.given("own") ? choice.named("own", Synchronization.OwnStep.WITH_SUM) : null);
    }

    private static int inFlight(JsonFieldReader choice) {
        return choice.integerOr("unbounded", "inFlight", 1, MAX_ROUNDS).orElse(UNBOUNDED);
    }

    private static Synchronization localSgd(JsonFieldReader choice) {
        return new Synchronization.LocalSgd(
                period(choice),
                choice.named("order", Synchronization.Order.STEP_THEN_AVERAGE),
                choice.named("momentum", Synchronization.Momentum.LOCAL));
    }

    private static int period(JsonFieldReader choice) {
        return choice.integer("period", null, 1, MAX_ROUNDS);
    }

    private static StalenessCorrection correction(JsonFieldReader choice) {
        String kind =
                choice.kind("none", List.of("none", "inverse", "inverse-power", "drop-above"));
        StalenessCorrection read =
                switch (kind) {
                    case "inverse" -> new StalenessCorrection.Inverse();
                    case "inverse-power" ->
                            new StalenessCorrection.InversePower(
                                    choice.number("power", null, MIN_POSITIVE, 4));
                    case "drop-above" ->
                            new StalenessCorrection.DropAbove(
                                    choice.integer("staleness", null, 0, MAX_ROUNDS));
                    default -> new StalenessCorrection.None();
                };
        choice.end();
        return read;
    }

    static Topology topology(JsonFieldReader choice) {
        String kind =
                choice.kind("all-reduce", List.of("all-reduce", "parameter-server", "gossip"));
        Topology read =
                switch (kind) {
                    case "parameter-server" -> parameterServer(choice);
                    case "gossip" -> gossip(choice);
                    default -> allReduce(choice);
                };
        choice.end();
        return read;
    }

    private static Topology parameterServer(JsonFieldReader choice) {
        return new Topology.ParameterServer(
                choice.integer("servers", 1, 1, MAX_SERVERS),
                choice.flag("perLayer", false),
                choice.named("aggregate", Topology.Aggregate.MEAN));
    }

    private static Topology allReduce(JsonFieldReader choice) {
        return new Topology.AllReduce(
                choice.named("algorithm", Topology.Algorithm.RING),
                choice.named("order", Topology.RingOrder.BY_RANK));
    }

    private static Topology gossip(JsonFieldReader choice) {
        return new Topology.Gossip(
                partners(choice.choice("schedule")),
                choice.named("payload", Topology.Payload.WEIGHTS),
                choice.named("mixing", Topology.Mixing.UNIFORM),
                choice.integer("globalAverageEvery", 0, 0, MAX_ROUNDS));
    }

    private static Partners partners(JsonFieldReader choice) {
        String kind =
                choice.kind(
                        "linear", List.of("linear", "dissemination", "fixed", "random-matching"));
        Partners read =
                switch (kind) {
                    case "dissemination" -> new Partners.Dissemination();
                    case "fixed" ->
                            new Partners.Fixed(
                                    choice.integer(
                                            "distance", 1, 1, DefinitionLimits.MAX_REPLICAS));
                    case "random-matching" -> new Partners.RandomMatching();
                    default -> new Partners.Linear(choice.flag("literalPairing", false));
                };
        choice.end();
        return read;
    }

    static Compression compression(JsonFieldReader choice) {
        String kind = choice.kind("none", COMPRESSIONS);
        Compression read =
                switch (kind) {
                    case "threshold" ->
                            new Compression.Threshold(
                                    choice.number("threshold", null, 0, MAX_THRESHOLD),
                                    feedback(choice));
                    case "adaptive-threshold" ->
                            new Compression.AdaptiveThreshold(fraction(choice), feedback(choice));
                    case "top-k" -> new Compression.TopK(fraction(choice), feedback(choice));
                    case "random-k" -> new Compression.RandomK(fraction(choice), feedback(choice));
                    case "qsgd" ->
                            new Compression.Qsgd(
                                    choice.integer("bits", 4, 2, 8),
                                    choice.integer("bucket", 512, 1, MAX_BUCKET),
                                    choice.flag("errorFeedback", false));
                    case "sign" -> new Compression.Sign(feedback(choice));
                    case "power-sgd" ->
                            new Compression.PowerSgd(choice.integer("rank", null, 1, 256));
                    case "sampled-rows" -> sampledRows(choice);
                    default -> new Compression.None();
                };
        choice.end();
        return read;
    }

    private static Compression sampledRows(JsonFieldReader choice) {
        return new Compression.SampledRows(
                choice.number("frequent", 0.01, 0, 1),
                choice.number("others", 0.01, 0, 1),
                choice.number("hidden", 0.5, MIN_FRACTION, 1),
                choice.flag("followLinks", false),
                feedback(choice));
    }

    private static double fraction(JsonFieldReader choice) {
        return choice.number("fraction", null, MIN_FRACTION, 1);
    }

    private static boolean feedback(JsonFieldReader choice) {
        return choice.flag("errorFeedback", true);
    }
}
