package dev.equipoise.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.Definition;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.dataformat.yaml.YAMLMapper;

class InitialStateCheckTest {

    private static final String REPLICAS_DIFFER = "replicas-differ";
    private static final String CHECKPOINT_DIFFERS = "checkpoint-differs";

    /** Configuration with 33 rounds an epoch. */
    private static RunConfiguration with(String fields) {
        return Definition.read(
                        YAMLMapper.builder()
                                .build()
                                .readTree(
                                        """
                                        apiVersion: equipoise/v1
                                        name: begun
                                        dataset: { name: mnist, limit: 990 }
                                        network: { preset: mnist-cnn }
                                        training: { epochs: 3, batchSize: 10 }
                                        workers: { replicas: 3 }
                                        """
                                                + fields))
                .configurations()
                .getFirst();
    }

    private static @Nullable String fault(InitialStateCheck beginning) {
        return beginning.fault().map(RunFailure::code).orElse(null);
    }

    /** Reads one checksum for each character; a dot is a lost rank. */
    private static SortedMap<Integer, String> byRank(String begun) {
        SortedMap<Integer, String> byRank = new TreeMap<>();
        for (int rank = 0; rank < begun.length(); rank++) {
            if (begun.charAt(rank) != '.') {
                byRank.put(rank, begun.substring(rank, rank + 1));
            }
        }
        return byRank;
    }

    private static InitialStateCheck atStart(
            String fields, String begun, @Nullable ResumePoint resumed) {
        return new InitialStateCheck(with(fields), byRank(begun), false, byRank(""), resumed);
    }

    private static @Nullable String afterCheckpoint(String fields, String begun, String ended) {
        return fault(new InitialStateCheck(with(fields), byRank(begun), true, byRank(ended), null));
    }

    @ParameterizedTest
    @CsvSource({"aaa,", "aab, " + REPLICAS_DIFFER})
    void allRanksBeginWithEqualWeights(String begun, @Nullable String fault) {
        for (String fields : List.of("", "synchronization: { kind: local-sgd, period: 2 }")) {
            assertThat(fault(atStart(fields, begun, null))).isEqualTo(fault);
        }
    }

    @ParameterizedTest
    @CsvSource({"aa,", "ab, " + REPLICAS_DIFFER, "bb, " + CHECKPOINT_DIFFERS})
    void allRanksContinueWithTheRetainedState(String begun, @Nullable String fault) {
        var resumed = ResumePoint.alike(new Continuation(new Position(1, 5, 50), List.of(0)), "a");

        assertThat(fault(atStart("", begun, resumed))).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "abx,",
        "aby,",
        ".bx,",
        "a.x,",
        ".ax, " + CHECKPOINT_DIFFERS,
        "aax, " + CHECKPOINT_DIFFERS,
        "bax, " + CHECKPOINT_DIFFERS
    })
    void holdersKeepTheirWeightsAndJoiningRanksHaveAny(String begun, @Nullable String fault) {
        var resumed =
                ResumePoint.apart(
                        new Continuation(new Position(1, 11, 110), List.of(0, 1)),
                        List.of("a", "b"));

        assertThat(fault(atStart("", begun, resumed))).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "synchronization: bsp",
                "synchronization: async",
                "synchronization: { kind: local-sgd, period: 11 }",
                "synchronization: { kind: diloco, period: 3 }"
            })
    void equalReplicasResumeFromTheCheckpointInAnyNumber(String fields) {
        assertThat(afterCheckpoint(fields, "aaa", "aaa")).isNull();
        assertThat(afterCheckpoint(fields, "aaa", "aa")).isNull();
        assertThat(afterCheckpoint(fields, "aab", "aaa")).isEqualTo(REPLICAS_DIFFER);
        assertThat(afterCheckpoint(fields, "bbb", "aaa")).isEqualTo(CHECKPOINT_DIFFERS);
        assertThat(afterCheckpoint(fields, "bbb", "aa")).isEqualTo(CHECKPOINT_DIFFERS);
    }

    @ParameterizedTest
    @CsvSource({
        "aaa, aba,",
        "aaa, abc,",
        "aa, aba,",
        "aaa, .ba,",
        "bbb, aba, " + CHECKPOINT_DIFFERS,
        "aba, aba, " + REPLICAS_DIFFER
    })
    void replicasThatDifferedResumeWithTheWeightsOfTheFirst(
            String begun, String ended, @Nullable String fault) {
        for (String fields : List.of("", "synchronization: { kind: diloco, period: 3 }")) {
            assertThat(afterCheckpoint(fields, begun, ended)).isEqualTo(fault);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "synchronization: { kind: local-sgd, period: 2 }",
                "synchronization: { kind: local-sgd, period: 1, order: average-then-step }",
                "synchronization: { kind: diloco, period: 2 }",
                "{ synchronization: { kind: local-sgd, period: 1 }, topology: gossip }",
                "{ synchronization: ad-psgd, topology: { kind: gossip, schedule: random-matching } }"
            })
    void differingReplicasResumeWithTheirOwnWeights(String fields) {
        String block =
                fields.replaceAll("^\\{ (.*) \\}$", "$1").replace(", topology:", "\ntopology:");

        assertThat(afterCheckpoint(block, "abc", "abc")).isNull();
        assertThat(afterCheckpoint(block, "acb", "abc")).isEqualTo(CHECKPOINT_DIFFERS);
        assertThat(afterCheckpoint(block, "abd", "abc")).isEqualTo(CHECKPOINT_DIFFERS);
    }

    /** The epoch was reported again by a generation that did not store the checkpoint. */
    @Test
    void weightsAreComparedWithNothingIfNothingIsKnown() {
        assertThat(afterCheckpoint("", "aaa", "")).isNull();
        assertThat(afterCheckpoint("", "aab", "")).isEqualTo(REPLICAS_DIFFER);
        assertThat(afterCheckpoint("synchronization: { kind: diloco, period: 2 }", "abc", ""))
                .isNull();
        assertThat(afterCheckpoint("topology: { kind: parameter-server }", "saaa", "")).isNull();
    }

    @Test
    void differingReplicasInAnotherNumberAreNotCompared() {
        String fields = "synchronization: { kind: local-sgd, period: 2 }";

        assertThat(afterCheckpoint(fields, "xyz", "ab")).isNull();
    }

    @Test
    void ranksAfterALossAreNotComparedWithOthers() {
        String fields = "synchronization: { kind: local-sgd, period: 1 }\ntopology: gossip";

        assertThat(afterCheckpoint(fields, "ab", ".bc")).isNull();
        assertThat(afterCheckpoint(fields, "a.c", "a.c")).isNull();
        assertThat(afterCheckpoint(fields, "a.c", "a.b")).isEqualTo(CHECKPOINT_DIFFERS);
    }

    @Test
    void weightsOfSummingServersAreNotCompared() {
        String summing = "topology: { kind: parameter-server, servers: 2 }";

        assertThat(afterCheckpoint(summing, "sxaaa", "ssaaa")).isNull();
        assertThat(afterCheckpoint(summing, "ssbbb", "ssaaa")).isEqualTo(CHECKPOINT_DIFFERS);
        assertThat(afterCheckpoint(summing + "\nsynchronization: async", "baaaa", "aaaaa"))
                .isEqualTo(REPLICAS_DIFFER);
    }
}
