package dev.equipoise.agent.server;

import static dev.equipoise.agent.server.TestingServers.rendezvous;
import static dev.equipoise.agent.server.TestingServers.run;
import static dev.equipoise.agent.server.TestingServers.vector;
import static dev.equipoise.agent.server.TestingServers.zeros;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.SchedulePosition;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.StalenessCorrection.DropAbove;
import dev.equipoise.protocol.StalenessCorrection.Inverse;
import dev.equipoise.protocol.StalenessCorrection.InversePower;
import dev.equipoise.protocol.StalenessCorrection.None;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.SECONDS)
class OptimizerStepsTest {

    private static final Sharding TWO_SHARDS = Sharding.byLayers(List.of(2L, 3L), 1);

    private static OptimizerSteps steps(double momentum, StalenessCorrection correction) {
        var spec =
                new OptimizerSpec.Sgd(
                        0.5, momentum, false, new Schedule.Step(2, 0.5, 0), new Clipping.None());
        return new OptimizerSteps(
                Optimizer.of(spec, 1, 10),
                new SchedulePosition(1, 1),
                correction,
                TWO_SHARDS.shards(),
                Arena.ofAuto());
    }

    @Test
    void correctionsFollowTheirFormulas() {
        assertThat(new None().factor(7)).isEqualTo(1);
        assertThat(new Inverse().factor(0)).isEqualTo(1);
        assertThat(new Inverse().factor(1)).isEqualTo(1);
        assertThat(new Inverse().factor(4)).isEqualTo(0.25);
        assertThat(new InversePower(0.5).factor(0)).isEqualTo(1);
        assertThat(new InversePower(0.5).factor(16)).isEqualTo(0.25);
        assertThat(new InversePower(2).factor(3)).isCloseTo(1.0 / 9, within(1e-15));
        assertThat(new DropAbove(3).factor(3)).isEqualTo(1);
        assertThat(new DropAbove(3).drops(3)).isFalse();
        assertThat(new DropAbove(3).drops(4)).isTrue();
        assertThat(new Inverse().drops(1_000_000)).isFalse();
    }

    /** The learning rate is 0.5, and 0.25 from the third step of a shard on. */
    @Test
    void stepsEachShardByItself() {
        OptimizerSteps steps = steps(0, new Inverse());
        steps.begin(1, (_, _) -> 1);
        Shard first = TWO_SHARDS.shards().getFirst();
        Shard second = TWO_SHARDS.shards().getLast();
        MemorySegment weights = zeros(2);
        MemorySegment others = zeros(3);

        steps.apply(first, weights, vector(2, i -> 1 + i), new Arrival(0, 0, 0));
        assertThat(weights.toArray(JAVA_FLOAT)).containsExactly(-0.5f, -1);
        steps.apply(first, weights, vector(2, i -> 1 + i), new Arrival(4, 0, 0));
        assertThat(weights.toArray(JAVA_FLOAT)).containsExactly(-0.625f, -1.25f);
        steps.apply(first, weights, vector(2, i -> 1 + i), new Arrival(2, 0, 0));
        assertThat(weights.toArray(JAVA_FLOAT)).containsExactly(-0.75f, -1.5f);
        steps.apply(second, others, vector(3, _ -> 1), new Arrival(1, 0, 0));
        assertThat(others.toArray(JAVA_FLOAT)).containsExactly(-0.5f, -0.5f, -0.5f);

        assertThat(steps.state(0).steps()).isEqualTo(3);
        assertThat(steps.state(1).steps()).isEqualTo(1);
        assertThat(steps.learningRates()).isEqualTo(new LearningRates(4, 1.25));
        assertThat(steps.learningRates().mean()).isEqualTo(0.3125);
        assertThat(LearningRates.NONE.plus(steps.learningRates())).isEqualTo(steps.learningRates());
        assertThat(LearningRates.NONE.mean()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> steps.state(2));
    }

    @Test
    void keepsTheOptimizerState() {
        OptimizerSteps steps = steps(0.5, new None());
        Shard second = TWO_SHARDS.shards().getLast();
        MemorySegment weights = zeros(3);

        steps.apply(second, weights, vector(3, _ -> 1), new Arrival(9, 0, 0));
        steps.apply(second, weights, vector(3, _ -> 1), new Arrival(9, 0, 0));

        assertThat(weights.toArray(JAVA_FLOAT)).containsExactly(-1.25f, -1.25f, -1.25f);
        assertThat(steps.state(1).vectors().getFirst().toArray(JAVA_FLOAT))
                .containsExactly(1.5f, 1.5f, 1.5f);
    }

    @Test
    void staleGradientsAreDroppedCountedAndAnswered() {
        var configuration =
                new ServerConfiguration(new Roles(1, 3), TWO_SHARDS, new Mode.Asynchronous());
        ParameterServer server =
                run(
                                configuration,
                                () -> steps(0, new DropAbove(1)),
                                (channel, parameters) -> {
                                    MemorySegment weights = zeros(5);
                                    MemorySegment ones = vector(5, _ -> 1);
                                    parameters.pull(weights);
                                    if (channel.rank() == 1) {
                                        rendezvous(channel, 2);
                                        rendezvous(channel, 2);
                                        assertThat(parameters.push(ones)).isEqualTo(2);
                                        parameters.pull(weights);
                                        assertThat(parameters.version(0)).isEqualTo(2);
                                        assertThat(weights.toArray(JAVA_FLOAT)).containsOnly(-1);
                                        assertThat(parameters.push(ones)).isZero();
                                    } else {
                                        rendezvous(channel, 1);
                                        assertThat(parameters.push(ones)).isZero();
                                        assertThat(parameters.push(ones)).isEqualTo(1);
                                        rendezvous(channel, 1);
                                    }
                                })
                        .values()
                        .iterator()
                        .next();

        assertThat(server.dropped()).isEqualTo(2);
        assertThat(server.version(0)).isEqualTo(3);
        assertThat(server.staleness()).isEqualTo(new StalenessHistogram(List.of(4L, 2L), 2, 1));
    }
}
