package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;

/** How what they tell is coded: what that wants of the rest. */
final class CompressionChecks {

    private final Choices choices;
    private final RunConfiguration configuration;
    private final Method method;

    CompressionChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
        this.method = choices.configuration().method();
    }

    void check() {
        Compression compression = method.compression();
        if (compression instanceof Compression.None) {
            return;
        }
        if (compression instanceof Compression.Qsgd qsgd
                && qsgd.errorFeedback()
                && isNoContraction(qsgd)) {
            choices.note(
                    "compression/bucket",
                    "must be less than the levels squared, %d, under error feedback, or what is left"
                                    .formatted(qsgd.levels() * qsgd.levels())
                            + " out grows without bound");
        }
        if (compression instanceof Compression.SampledRows rows) {
            checkSampled(rows);
        }
        switch (method.topology()) {
            case Topology.AllReduce allReduce -> checkCompressed(allReduce);
            case Topology.ParameterServer _ -> checkCompressedAtServer();
            case Gossip gossip -> checkCompressed(gossip);
        }
    }

    private void checkSampled(Compression.SampledRows rows) {
        choices.require(
                configuration.architecture().isLanguageModel(),
                "compression",
                "must be used with a network that begins with an embedding and ends in a score for"
                        + " each word");
        choices.require(
                !(method.topology() instanceof Gossip gossip
                        && gossip.payload() == Payload.WEIGHTS),
                "topology/payload",
                "must be update or gradient with sampled-rows: the words of a round tell where these"
                        + " are not zero, but not where weights differ");
        choices.require(
                !(method.synchronization() instanceof LocalSgd local
                        && local.order() == Order.AVERAGE_THEN_STEP),
                "synchronization/order",
                "must be step-then-average with sampled-rows: an average before the step has nothing"
                        + " of the words of its round yet");
        if (rows.followLinks()) {
            checkFollowsLinks(rows);
        }
    }

    private void checkFollowsLinks(Compression.SampledRows rows) {
        choices.require(
                !(method.topology() instanceof Topology.AllReduce),
                "compression/followLinks",
                "must be false over an all-reduce, to which all ranks must bring the same rows");
        choices.require(
                rows.errorFeedback(),
                "compression/followLinks",
                "must be false without error feedback: what the replicas behind slow links leave out"
                        + " would be lost, and they would count for less");
        choices.require(
                !configuration.followsLinks()
                        || configuration.ranks() <= LinkProfiling.MOST_WORKERS,
                "compression/followLinks",
                "must be false for more than %d ranks, as every link between them is measured"
                        .formatted(LinkProfiling.MOST_WORKERS));
    }

    private static boolean isNoContraction(Compression.Qsgd qsgd) {
        return qsgd.bucket() >= qsgd.levels() * qsgd.levels();
    }

    private void checkCompressed(Topology.AllReduce allReduce) {
        if (method.compression().isLinear()) {
            return;
        }
        choices.require(
                allReduce.algorithm() == Topology.Algorithm.RING,
                "topology/algorithm",
                "must be ring with this codec: its frames cannot be summed on the way, and go round"
                        + " to all");
        choices.require(
                allReduce.order() == Topology.Order.BY_RANK,
                "topology/order",
                "must be by-rank with a codec whose frames go round to all");
    }

    private void checkCompressedAtServer() {
        choices.require(
                !(method.compression() instanceof Compression.PowerSgd),
                "compression",
                "must not be power-sgd at servers, which each have a part of the gradient: its"
                        + " factors are of whole layers");
    }

    private void checkCompressed(Gossip gossip) {
        Compression compression = method.compression();
        choices.require(
                !(compression instanceof Compression.PowerSgd),
                "compression",
                "must not be power-sgd over gossip: its factors are means over all replicas");
        choices.require(
                gossip.mixing() != Mixing.PUSH_SUM,
                "compression",
                "must be none for push-sum: what a codec leaves out would be lost mass");
        if (gossip.payload() == Payload.WEIGHTS && gossip.mixing() != Mixing.PUSH_SUM) {
            choices.require(
                    gossip.schedule() instanceof Partners.Fixed,
                    "topology/schedule",
                    "must be fixed where weights are coded: each keeps a copy of what its"
                            + " neighbours have told, and with partners that rotate would keep one"
                            + " of every replica");
            choices.require(
                    !compression.errorFeedback(),
                    "compression/errorFeedback",
                    "must be false where weights are coded: what is left out stays in the difference"
                            + " to what the neighbours know");
            choices.require(
                    !(compression instanceof Compression.RandomK)
                            && !(compression instanceof Compression.Qsgd qsgd
                                    && isNoContraction(qsgd)),
                    "compression",
                    "must be a contraction where weights are coded: scaled random-k is none, nor is"
                            + " qsgd unless its bucket is less than its levels squared");
        }
    }
}
