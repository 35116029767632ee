package dev.equipoise.agent.synchronization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LinkSharesTest {

    private static final Offset<Double> EXACTLY = within(1e-12);

    private static final Execution REAL = new Execution.Real();
    private static final Execution VIRTUAL =
            new Execution.Virtual(List.of(), 0, new Execution.Link(50, 100));

    private static final Method SERVED =
            new Method(
                    new Synchronization.Bsp(),
                    new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN),
                    new Compression.SampledRows(0.01, 0.01, 0.5, true, true));

    private static final Method GOSSIP =
            new Method(
                    new LocalSgd(1, Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                    new Gossip(new Partners.Linear(false), Payload.UPDATE, Mixing.UNIFORM, 0),
                    SERVED.compression());

    private static TrainingPlan plan(
            Method method, Execution execution, List<LinkLimit> limits, List<MeasuredLink> links) {
        return new TrainingPlan(
                new Brown(Brown.View.SEQUENCES, 10, 5, 12),
                new Architecture(
                        "tiny",
                        new Shape.Tokens(5, 10),
                        List.of(new Layer.Embedding(2), new Layer.Dense(10))),
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(1),
                1,
                Observation.every(1),
                1,
                EpochDivision.of(List.of(4, 4, 4), 1),
                method,
                ChannelKind.DIRECT,
                execution,
                limits,
                links);
    }

    /** Makes a link with a bandwidth in 10^6 bytes per second. */
    private static MeasuredLink link(int low, int high, double megabytes) {
        return new MeasuredLink(low, high, 1e-5, 1 / (megabytes * 1e6), 0);
    }

    private static LinkLimit limit(int one, int other, double megabytes) {
        return new LinkLimit(List.of(one, other), megabytes, 0);
    }

    /** The server is rank 0; the mean over the two replicas is 0.5. */
    @Test
    void measuredLinksToTheServerCount() {
        List<MeasuredLink> links = List.of(link(0, 1, 100), link(0, 2, 300), link(1, 2, 1));
        var shares = new LinkShares(plan(SERVED, REAL, List.of(), links));

        assertThat(shares.of(1, 0.5)).isCloseTo(0.25, EXACTLY);
        assertThat(shares.of(2, 0.5)).isCloseTo(0.75, EXACTLY);
        assertThat(shares.of(0, 0.5)).isEqualTo(0.5);
    }

    @Test
    void linkLimitsBoundTheBandwidth() {
        List<MeasuredLink> links = List.of(link(0, 1, 100), link(0, 2, 900), link(1, 2, 1));
        List<LinkLimit> limits = List.of(new LinkLimit(null, 5000.0, 0), limit(2, 0, 300));
        var shares = new LinkShares(plan(SERVED, REAL, limits, links));

        assertThat(shares.of(1, 0.5)).isCloseTo(0.25, EXACTLY);
        assertThat(shares.of(2, 0.5)).isCloseTo(0.75, EXACTLY);
    }

    @Test
    void virtualLinksHaveTheGivenBandwidth() {
        var shares = new LinkShares(plan(SERVED, VIRTUAL, List.of(limit(0, 1, 25)), List.of()));

        assertThat(shares.of(1, 0.5)).isCloseTo(0.2, EXACTLY);
        assertThat(shares.of(2, 0.5)).isCloseTo(0.8, EXACTLY);
    }

    /**
     * Seconds per megabyte: rank 0 sends to both others at 0.01, ranks 1 and 2 at 0.01 and 0.03;
     * this gives bandwidths of 100, 50 and 50.
     */
    @Test
    void gossipCountsTheLinksToAllPartners() {
        List<LinkLimit> limits = List.of(limit(1, 2, 100.0 / 3));
        var shares = new LinkShares(plan(GOSSIP, VIRTUAL, limits, List.of()));

        assertThat(shares.of(0, 0.4)).isCloseTo(0.6, EXACTLY);
        assertThat(shares.of(1, 0.4)).isCloseTo(0.3, EXACTLY);
        assertThat(shares.of(2, 0.4)).isCloseTo(0.3, EXACTLY);
    }

    @Test
    void unknownLinksAreEqual() {
        var shares = new LinkShares(plan(SERVED, REAL, List.of(), List.of()));

        assertThat(shares.of(1, 0.3)).isCloseTo(0.3, EXACTLY);
        assertThat(shares.of(2, 0.3)).isCloseTo(0.3, EXACTLY);
    }
}
