package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.TouchedRows;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Compression.SampledRows;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.Division;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums a model of 10 words, 3 features and 4 units over three ranks, in whole numbers. */
class SampledSumTest {

    private static final int WORDS = 10;
    private static final int RANKS = 3;

    private static final Architecture MODEL =
            new Architecture(
                    "tiny",
                    new Shape.Tokens(1, WORDS),
                    List.of(
                            new Layer.Embedding(3),
                            new Layer.Flatten(),
                            new Layer.Dense(4),
                            new Layer.Dense(WORDS)));
    private static final int LENGTH = 96;

    /** Words of a rank in a round. */
    private record Words(Set<Integer> inputs, Set<Integer> labels) {

        void by(TouchedRows words) {
            inputs.forEach(words::addInput);
            labels.forEach(words::addLabel);
            words.swap();
        }
    }

    /** Words by rank; rank 2 has no sample, and the most frequent fifth of the words is 0 and 1. */
    private static final List<Words> WORDS_BY_RANK =
            List.of(
                    new Words(Set.of(3, 9), Set.of(5)),
                    new Words(Set.of(4), Set.of(4, 9)),
                    new Words(Set.of(), Set.of()));

    private static final Words ALL = new Words(Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), Set.of());

    private static TrainingPlan plan(Algorithm algorithm, SampledRows rows) {
        return TestingPlan.with(
                TestingPlan.of(
                        new Brown(Brown.View.WINDOWS, WORDS, 1, 12),
                        MODEL,
                        new OptimizerSpec.Sgd(1),
                        Division.of(List.of(4, 4, 4), 1)),
                new Method(new Synchronization.Bsp(), Topology.AllReduce.by(algorithm), rows));
    }

    private static float element(int rank, int index) {
        return (rank + 1) * (index + 1);
    }

    private static MemorySegment vector(int rank) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, element(rank, i));
        }
        return vector;
    }

    /** Returns whether an element is sent by the union over all ranks, with all hidden rows. */
    private static boolean isSent(int index) {
        if (index < 30) {
            return Set.of(3, 4, 9).contains(index / 3);
        }
        return index < 46 || Set.of(0, 1, 3, 4, 5, 9).contains((index - 46) % WORDS);
    }

    /** Rank with its aggregator. */
    private record Rank(TouchedRows words, VectorAggregator aggregator, Instruments instruments) {

        static Rank of(TrainingPlan plan, Channel channel, BackgroundThread background) {
            Arena memory = Arena.ofAuto();
            Time time = new SystemTime();
            var instruments = new Instruments(time, channel, 0);
            RankContext context =
                    RankContext.of(
                            plan,
                            new RankEnvironment(channel, time, background, ExecutionOrder.FREE),
                            instruments,
                            memory.allocate(JAVA_FLOAT, LENGTH),
                            Optional.empty(),
                            new RankStateRegistry(),
                            memory);
            return new Rank(
                    context.touchedRows().orElseThrow(),
                    new VectorAggregators(context, instruments, Strand.MAIN)
                            .coded(TrafficKind.GRADIENT),
                    instruments);
        }
    }

    private interface Body {
        void run(int number, Rank rank);
    }

    private static void run(TrainingPlan plan, Body body) {
        TestingRanks.run(
                MemoryChannel.join(RANKS),
                channel -> {
                    try (BackgroundThread background = new SystemBackground()) {
                        body.run(channel.rank(), Rank.of(plan, channel, background));
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AUTO", "HIERARCHICAL"})
    void isTheSumOverTheRowsOfAllRanksWords(Algorithm algorithm) {
        run(
                plan(algorithm, new SampledRows(0.2, 0, 1, false, false)),
                (number, rank) -> {
                    WORDS_BY_RANK.get(number).by(rank.words());
                    MemorySegment sum = rank.aggregator().of(vector(number), 2);

                    for (int i = 0; i < LENGTH; i++) {
                        assertThat(sum.getAtIndex(JAVA_FLOAT, i))
                                .isEqualTo(isSent(i) ? 12f * (i + 1) : 0);
                    }
                });
    }

    /** All ranks must draw the same rows, since the sums would otherwise mix elements. */
    @Test
    void drawnRowsAreCompleteSums() {
        Map<Integer, List<Float>> sums = new ConcurrentHashMap<>();
        run(
                plan(Algorithm.RING, new SampledRows(0, 0.3, 0.5, false, false)),
                (number, rank) -> {
                    WORDS_BY_RANK.get(number).by(rank.words());
                    sums.put(number, floats(rank.aggregator().of(vector(number), 1)));
                });

        List<Float> sum = requireNonNull(sums.get(0));
        assertThat(sums.values()).containsOnly(sum);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(sum.get(i)).isIn(0f, 6f * (i + 1));
        }
        assertThat(sum.subList(30, 46).stream().filter(it -> it > 0)).hasSize(2 * 4);
        assertThat(sum.subList(46, 96).stream().filter(it -> it > 0).count()).isBetween(20L, 35L);
    }

    /** The last round has all words and a zero vector, and so sends everything that was omitted. */
    @Test
    void errorFeedbackLosesNothing() {
        run(
                plan(Algorithm.RING, new SampledRows(0, 0, 1, false, true)),
                (number, rank) -> {
                    MemorySegment total = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
                    for (int round = 0; round < 5; round++) {
                        WORDS_BY_RANK.get((number + round) % RANKS).by(rank.words());
                        addTo(total, rank.aggregator().of(vector(number), 1));
                    }
                    ALL.by(rank.words());
                    addTo(total, rank.aggregator().of(vector(number), 0));

                    for (int i = 0; i < LENGTH; i++) {
                        assertThat(total.getAtIndex(JAVA_FLOAT, i)).isEqualTo(5 * 6f * (i + 1));
                    }
                });
    }

    /** Words count as coordination traffic, and row ids not as gradients. */
    @Test
    void countsWordsAsControl() {
        run(
                plan(Algorithm.FLAT, new SampledRows(0.2, 0, 1, false, false)),
                (number, rank) -> {
                    WORDS_BY_RANK.get(number).by(rank.words());
                    rank.aggregator().of(vector(number), 1);

                    Traffic traffic = rank.instruments().traffic();
                    int sent = 3 * 3 + 16 + 6 * 5;
                    int copies = number == 0 ? RANKS - 1 : 1;
                    assertThat(traffic.gradientBytes()).isEqualTo(copies * (32 + 4L * sent));
                    assertThat(traffic.controlBytes()).isBetween(2L * (32 + 4), 2L * (32 + 8));
                });
    }

    private static void addTo(MemorySegment total, MemorySegment addend) {
        for (int i = 0; i < LENGTH; i++) {
            float sum = total.getAtIndex(JAVA_FLOAT, i) + addend.getAtIndex(JAVA_FLOAT, i);
            total.setAtIndex(JAVA_FLOAT, i, sum);
        }
    }

    private static List<Float> floats(MemorySegment vector) {
        return vector.elements(JAVA_FLOAT).map(each -> each.get(JAVA_FLOAT, 0)).toList();
    }
}
