package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
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
import dev.equipoise.protocol.network.LayerMismatch;

/** Checks what a codec requires of the other choices. */
final class CompressionChecks {

    private final ValidationContext context;
    private final RunConfiguration configuration;
    private final Method method;

    CompressionChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
        this.method = context.configuration().method();
    }

    void check() {
        Compression compression = method.compression();
        if (compression instanceof Compression.None) {
            return;
        }
        if (compression instanceof Compression.Qsgd qsgd
                && qsgd.errorFeedback()
                && isNoContraction(qsgd)) {
            context.note(
                    "compression/bucket",
                    "must be less than the levels squared, %d, with error feedback: the residual"
                                    .formatted(qsgd.levels() * qsgd.levels())
                            + " would grow without bound");
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
        context.require(
                mayBeLanguageModel(),
                "compression",
                "must be used with a network that begins with an embedding and ends in a score for"
                        + " each word");
        context.require(
                !(method.topology() instanceof Gossip gossip
                        && gossip.payload() == Payload.WEIGHTS),
                "topology/payload",
                "must be update or gradient with sampled-rows: these are zero outside the touched"
                        + " rows, but weights differ in all rows");
        context.require(
                !(method.synchronization() instanceof LocalSgd local
                        && local.order() == Order.AVERAGE_THEN_STEP),
                "synchronization/order",
                "must be step-then-average with sampled-rows: an average before the step excludes"
                        + " the words of its round");
        if (rows.followLinks()) {
            checkFollowsLinks(rows);
        }
    }

    /** Also returns true if the layers do not fit, which the network's checks report. */
    private boolean mayBeLanguageModel() {
        try {
            return configuration.architecture().isLanguageModel();
        } catch (LayerMismatch _) {
            return true;
        }
    }

    private void checkFollowsLinks(Compression.SampledRows rows) {
        context.require(
                !(method.topology() instanceof Topology.AllReduce(var algorithm, var order))
                        || (algorithm == Topology.Algorithm.RING
                                && order == Topology.RingOrder.BY_RANK),
                "compression/followLinks",
                "must be false over an all-reduce other than a ring in the order by-rank: its rate"
                        + " follows the slowest link between neighbors");
        context.require(
                rows.errorFeedback(),
                "compression/followLinks",
                "must be false without error feedback: the rows that replicas behind slow links"
                        + " omit would be lost");
        context.require(
                !configuration.followsLinks() || configuration.ranks() <= LinkProfiling.MAX_WORKERS,
                "compression/followLinks",
                "must be false for more than %d ranks, since every link between them is measured"
                        .formatted(LinkProfiling.MAX_WORKERS));
    }

    private static boolean isNoContraction(Compression.Qsgd qsgd) {
        return qsgd.bucket() >= qsgd.levels() * qsgd.levels();
    }

    private void checkCompressed(Topology.AllReduce allReduce) {
        if (method.compression().isLinear()) {
            return;
        }
        context.require(
                allReduce.algorithm() == Topology.Algorithm.RING,
                "topology/algorithm",
                "must be ring with this codec: its frames cannot be summed and circulate to all"
                        + " ranks");
        context.require(
                allReduce.order() == Topology.RingOrder.BY_RANK,
                "topology/order",
                "must be by-rank with a codec whose frames circulate to all ranks");
    }

    private void checkCompressedAtServer() {
        context.require(
                !(method.compression() instanceof Compression.PowerSgd),
                "compression",
                "must not be power-sgd with parameter servers, each of which has a part of the"
                        + " gradient: its factors need whole layers");
    }

    private void checkCompressed(Gossip gossip) {
        Compression compression = method.compression();
        context.require(
                !(compression instanceof Compression.PowerSgd),
                "compression",
                "must not be power-sgd over gossip: its factors are averaged over all replicas");
        context.require(
                gossip.mixing() != Mixing.PUSH_SUM,
                "compression",
                "must be none with push-sum: elements that a codec omits would be lost mass");
        if (gossip.payload() == Payload.WEIGHTS && gossip.mixing() != Mixing.PUSH_SUM) {
            context.require(
                    gossip.schedule() instanceof Partners.Fixed,
                    "topology/schedule",
                    "must be fixed if weights are compressed: each replica keeps a copy of its"
                            + " neighbors' weights, and rotating partners would need one of every"
                            + " replica");
            context.require(
                    !compression.errorFeedback(),
                    "compression/errorFeedback",
                    "must be false if weights are compressed: the difference to the neighbors'"
                            + " copies keeps the omitted elements");
            context.require(
                    !(compression instanceof Compression.RandomK)
                            && !(compression instanceof Compression.Qsgd qsgd
                                    && isNoContraction(qsgd)),
                    "compression",
                    "must be a contraction if weights are compressed: random-k is none, and qsgd is"
                            + " one only if its bucket is less than its levels squared");
        }
    }
}
