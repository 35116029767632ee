package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.plan.Candidates.Candidate;
import dev.equipoise.app.plan.Candidates.Choice;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CandidatesTest {

    private static List<Candidate> candidates(Set<Choice> free, int most, String... fields) {
        ObjectNode definition = (ObjectNode) TestingPlans.yaml(TestingPlans.REAL);
        for (String field : fields) {
            TestingPlans.yaml(field)
                    .properties()
                    .forEach(it -> definition.set(it.getKey(), it.getValue()));
        }
        return new Candidates(definition, free, most).list();
    }

    @Test
    void everyWayToAgreeIsTriedOverEveryLinkThatBearsIt() {
        List<Candidate> candidates =
                candidates(EnumSet.of(Choice.SYNCHRONIZATION, Choice.TOPOLOGY), 4);

        assertThat(candidates)
                .extracting(it -> it.configuration().synchronization().getClass().getSimpleName())
                .contains("Bsp", "LocalSgd", "DiLoCo", "Async", "StaleSynchronous", "AdPsgd");
        assertThat(candidates)
                .extracting(it -> it.configuration().topology())
                .contains(
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        Topology.AllReduce.by(Topology.Algorithm.TREE),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
        assertThat(candidates)
                .as("what definitions may not say is not proposed")
                .noneMatch(it ->
                        it.configuration().synchronization() instanceof Synchronization.Bsp
                                && it.configuration().topology() instanceof Topology.Gossip);
    }

    @Test
    void whatIsNotFreeStays() {
        List<Candidate> candidates =
                candidates(EnumSet.of(Choice.TOPOLOGY), 4, "synchronization: ad-psgd");

        assertThat(candidates).hasSize(1);
        assertThat(candidates.getFirst().changes().keySet()).containsExactly("topology");
        assertThat(candidates.getFirst().configuration().workers().replicas()).isEqualTo(4);
    }

    @Test
    void compressionForbidsWhatItDoesNotGoWith() {
        assertThat(
                        candidates(
                                EnumSet.of(Choice.TOPOLOGY),
                                4,
                                "compression: {kind: top-k, fraction: 0.01}"))
                .extracting(it -> it.configuration().topology())
                .containsExactlyInAnyOrder(
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN));
    }

    /** Of a rank that there would not be. */
    @Test
    void fewerReplicasLoseWhatIsSaidOfTheOthers() {
        List<Candidate> candidates =
                candidates(
                        EnumSet.of(Choice.REPLICAS),
                        4,
                        "heterogeneity: {slowDown: {0: 2, 3: 4}, links: [{between: [0, 3], megabytesPerSecond: 1}]}");

        assertThat(candidates)
                .extracting(it -> it.configuration().heterogeneity().slowDown().size())
                .containsExactly(1, 1, 1, 2);
    }

    @Test
    void ofManyWorkersPowersOfTwoAreTried() {
        assertThat(candidates(EnumSet.of(Choice.REPLICAS), 20))
                .extracting(it -> it.configuration().workers().replicas())
                .containsExactly(1, 2, 4, 8, 16, 20);
    }
}
