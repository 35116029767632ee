package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.Execution.Link;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology.Aggregate;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** Checks that the choices of a plan survive JSON. */
class ChoicesTest {

    private final JsonMapper json = JsonMapper.builder().build();

    static Stream<Synchronization> synchronizations() {
        return Stream.of(
                new Synchronization.Bsp(),
                new Synchronization.Bsp(true, 25.0, 1.0),
                new Synchronization.Bsp(false, 0.5, 0.25),
                new LocalSgd(4, Order.AVERAGE_THEN_STEP, Momentum.RESET),
                new Synchronization.DiLoCo(8, 0.7, 0.9),
                new Synchronization.Async(2, Weighting.UNWEIGHTED, new StalenessCorrection.None()),
                new Synchronization.Async(
                        null, Weighting.WEIGHTED, new StalenessCorrection.InversePower(0.5)),
                new Synchronization.Async(
                        null,
                        Weighting.UNWEIGHTED,
                        new StalenessCorrection.None(),
                        9,
                        Synchronization.OwnStep.AT_ONCE),
                new Synchronization.StaleSynchronous(3, true, new StalenessCorrection.DropAbove(5)),
                new Synchronization.AdPsgd());
    }

    static Stream<Topology> topologies() {
        return Stream.of(
                new Topology.AllReduce(Topology.Algorithm.RING, Topology.RingOrder.BY_LINK),
                new Topology.ParameterServer(3, true, Aggregate.SUM),
                new Gossip(new Partners.Linear(true), Payload.UPDATE, Mixing.METROPOLIS, 4),
                new Gossip(new Partners.Dissemination(), Payload.WEIGHTS, Mixing.PUSH_SUM, 0),
                new Gossip(new Partners.Fixed(3), Payload.GRADIENT, Mixing.UNIFORM, 0),
                new Gossip(new Partners.RandomMatching(), Payload.WEIGHTS, Mixing.UNIFORM, 0));
    }

    static Stream<Compression> compressions() {
        return Stream.of(
                new Compression.None(),
                new Compression.Threshold(0.5, true),
                new Compression.AdaptiveThreshold(0.1, false),
                new Compression.TopK(0.01, true),
                new Compression.RandomK(0.1, false),
                new Compression.Qsgd(4, 32, true),
                new Compression.Sign(true),
                new Compression.PowerSgd(2),
                new Compression.SampledRows(0.01, 0.01, 0.5, true, true));
    }

    static Stream<Execution> executions() {
        return Stream.of(
                new Execution.Real(),
                new Execution.Virtual(
                        List.of(Speed.of(100), Speed.of(250)), 0.1, new Link(50, 1000)));
    }

    @ParameterizedTest
    @MethodSource("synchronizations")
    void synchronizationSurvivesJson(Synchronization choice) {
        assertThat(json.readValue(json.writeValueAsString(choice), Synchronization.class))
                .isEqualTo(choice);
    }

    @Test
    void bspWithoutBucketsHasNoFieldsInJson() {
        assertThat(json.writeValueAsString(new Synchronization.Bsp()))
                .isEqualTo("{\"kind\":\"bsp\"}");
        assertThat(json.readValue("{\"kind\": \"bsp\"}", Synchronization.class))
                .isEqualTo(new Synchronization.Bsp());
    }

    @Test
    void rejectsBucketsWithoutSizes() {
        assertThatThrownBy(() -> new Synchronization.Bsp(true, null, 1.0))
                .hasMessage("bucketMegabytes must be given");
        assertThatThrownBy(() -> new Synchronization.Bsp(null, 25.0, 1.0))
                .hasMessage("overlap must be given");
        assertThatThrownBy(() -> new Synchronization.Bsp(true, 25.0, 0.0))
                .hasMessage("firstBucketMegabytes must be greater than 0, but was 0.0");
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void topologySurvivesJson(Topology choice) {
        assertThat(json.readValue(json.writeValueAsString(choice), Topology.class))
                .isEqualTo(choice);
    }

    @Test
    void rejectsAnAllReduceWithoutAField() {
        assertThatThrownBy(() ->
                        json.readValue(
                                "{\"kind\": \"all-reduce\", \"order\": \"by-rank\"}",
                                Topology.class))
                .hasMessageContaining("algorithm must be given");
        assertThatThrownBy(() ->
                        json.readValue(
                                "{\"kind\": \"all-reduce\", \"algorithm\": \"ring\"}",
                                Topology.class))
                .hasMessageContaining("order must be given");
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void compressionSurvivesJson(Compression choice) {
        assertThat(json.readValue(json.writeValueAsString(choice), Compression.class))
                .isEqualTo(choice);
    }

    @ParameterizedTest
    @MethodSource("executions")
    void executionSurvivesJson(Execution choice) {
        assertThat(json.readValue(json.writeValueAsString(choice), Execution.class))
                .isEqualTo(choice);
    }

    /** The order of the limits does not matter. */
    @Test
    void limitOfALinkPrecedesTheLimitForAll() {
        var all = new LinkLimit(null, 100.0, 0);
        var named = new LinkLimit(List.of(2, 0), 12.5, 1);

        for (List<LinkLimit> limits : List.of(List.of(all, named), List.of(named, all))) {
            assertThat(LinkLimit.of(limits, 0, 2)).contains(named);
            assertThat(LinkLimit.of(limits, 2, 0)).contains(named);
            assertThat(LinkLimit.of(limits, 0, 1)).contains(all);
        }
        assertThat(LinkLimit.of(List.of(named), 0, 1)).isEmpty();
    }
}
