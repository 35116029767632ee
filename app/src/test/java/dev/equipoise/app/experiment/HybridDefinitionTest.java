package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.broken;
import static dev.equipoise.app.experiment.TestingDefinitions.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Partitioning.Hybrid;
import dev.equipoise.protocol.Partitioning.HybridSolver;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests definitions with hybrid partitioning, by which ranks share hidden units. */
class HybridDefinitionTest {

    private static final String VIRTUAL = "execution: {kind: virtual, samplesPerSecond: 100}\n";

    /** A round has a hundred samples on eight replicas. */
    private static String definition(String partitioning, String fields) {
        return """
        apiVersion: equipoise/v1
        name: test
        dataset: {name: nettalk, limit: 100}
        network: {preset: mlp-203-100-26}
        training: {epochs: 2, batchSize: 13, loss: squared-error}
        workers: {replicas: 8}
        partitioning: %s
        """
                        .formatted(partitioning)
                + fields;
    }

    private static RunConfiguration with(String partitioning) {
        return read(definition(partitioning, VIRTUAL)).getFirst();
    }

    private static List<String> rulesBroken(String partitioning, String fields) {
        return broken(definition(partitioning, fields)).stream()
                .map(it -> it.substring(0, it.lastIndexOf(" (")))
                .toList();
    }

    @Test
    void shortFormUsesTheLinearProgram() {
        RunConfiguration configuration = with("hybrid");

        assertThat(configuration.partitioning())
                .isEqualTo(new Hybrid(null, HybridSolver.LINEAR_PROGRAM));
        assertThat(configuration.samplesOfRound()).isEqualTo(100);
        assertThat(with("{kind: hybrid, nodeParallel: auto}").partitioning())
                .isEqualTo(configuration.partitioning());
        assertThat(with("{kind: hybrid, nodeParallel: 4, shares: closed-form}").partitioning())
                .isEqualTo(new Hybrid(4, HybridSolver.CLOSED_FORM));
        assertThat(with("{kind: hybrid, nodeParallel: 1, shares: equal}").partitioning())
                .isEqualTo(new Hybrid(1, HybridSolver.EQUAL));
    }

    @Test
    void realRunStoresCheckpointsAndMayBePreempted() {
        RunConfiguration real = read(definition("hybrid", "preemption: allowed\n")).getFirst();

        assertThat(real.isPreemptible()).isTrue();
        assertThat(real.scheduling().checkpoint().every()).isOne();
        assertThat(with("hybrid").scheduling().checkpoint().every()).isZero();
    }

    @Test
    void realRunNeedsSpeedsAndAllReduces() {
        RunConfiguration real = read(definition("hybrid", "")).getFirst();

        assertThat(real.wantsSpeeds()).isTrue();
        assertThat(real.wantsLinks()).isTrue();
        assertThat(real.wantsAllReduces()).isTrue();
        assertThat(real.followsLinks()).isFalse();
        assertThat(with("hybrid").wantsSpeeds()).isFalse();
        assertThat(with("hybrid").wantsLinks()).isFalse();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: hybrid, nodeParallel: some} | '' | /partitioning/nodeParallel must be auto"
                        + " or a whole number",
                "{kind: hybrid, nodeParallel: 0} | '' | /partitioning/nodeParallel must be from 1 to 1024",
                "{kind: hybrid, shares: magic} | '' | /partitioning/shares must be one of [linear-program, closed-form,"
                        + " equal]",
                "{kind: hybrid, nodeParallel: 3} | '' | /partitioning/nodeParallel must be a divisor of the number of"
                        + " replicas, 8",
                "hybrid | {synchronization: {kind: local-sgd, period: 2}} | /synchronization must"
                        + " be bsp with hybrid partitioning: no rank has a complete network of its"
                        + " own",
                "hybrid | {synchronization: {kind: bsp, overlap: true}} | /synchronization must have"
                        + " neither overlap nor buckets with hybrid partitioning, whose groups sum"
                        + " the gradients of hidden units",
                "hybrid | {topology: parameter-server} | /topology must be all-reduce with hybrid"
                        + " partitioning, whose groups use all-reduces",
                "hybrid | {topology: {kind: all-reduce, algorithm: auto}} | /topology/algorithm"
                        + " must not be hierarchical or auto with hybrid partitioning: groups are"
                        + " formed by the time of one algorithm",
                "hybrid | {topology: {kind: all-reduce, order: by-link}} | /topology/order must be by-rank with hybrid"
                        + " partitioning, which has no ring of all ranks",
                "hybrid | {compression: sign} | /compression must be none with hybrid partitioning:"
                        + " groups sum outputs, of which nothing may be omitted",
                "hybrid | {record: true} | /record must be false with hybrid partitioning, which is"
                        + " deterministic",
                "hybrid | {channel: hazelcast} | /channel must be direct with hybrid partitioning,"
                        + " since all-reduces are measured there",
                "hybrid | {heterogeneity: {links: [{megabytesPerSecond: 10}]}} |"
                        + " /heterogeneity/links must be empty with hybrid partitioning, whose"
                        + " groups are formed for the measured links",
                "hybrid | {network: {layers: [{dense: 100}, relu, {dense: 26}]}} | /network must be"
                        + " a perceptron with hybrid partitioning, with one hidden layer of"
                        + " sigmoids",
                "{kind: hybrid, nodeParallel: 8} | {network: {layers: [{dense: 7}, sigmoid, {dense: 26}]}} |"
                        + " /partitioning/nodeParallel must be at most the number of hidden units, 7",
            })
    void incompatibleChoicesAreRejectedWithTheReason(
            String partitioning, String fields, String rule) {
        String more = fields.isEmpty() ? "" : fields.substring(1, fields.length() - 1) + "\n";

        assertThat(rulesBroken(partitioning, more)).containsExactly(rule);
    }

    /** Two rounds have twelve samples each. */
    @Test
    void everyGroupNeedsASamplePerRound() {
        String few =
                definition("{kind: hybrid, nodeParallel: 1}", VIRTUAL)
                        .replace("limit: 100", "limit: 12")
                        .replace("batchSize: 13", "batchSize: 1");

        assertThat(broken(few))
                .containsExactly(
                        "/partitioning/nodeParallel must make no more groups than a round has"
                                + " samples, 6 (1)");
        assertThat(read(few.replace("nodeParallel: 1", "nodeParallel: 2"))).hasSize(1);
    }

    @Test
    void hybridNeedsTwoReplicas() {
        assertThat(broken(definition("hybrid", VIRTUAL).replace("replicas: 8", "replicas: 1")))
                .containsExactly(
                        "/workers/replicas must be at least 2 with hybrid partitioning (1)");
    }

    @Test
    void hybridHasAMaximumOfReplicas() {
        assertThat(broken(definition("hybrid", VIRTUAL).replace("replicas: 8", "replicas: 65")))
                .containsExactly(
                        "/workers/replicas must be at most 64 with hybrid partitioning, the maximum"
                                + " for measuring all-reduces and computing shares (65)");
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        assertThat(
                        rulesBroken(
                                "{kind: hybrid, nodeParallel: 5}",
                                """
                                synchronization: {kind: local-sgd, period: 2}
                                compression: sign
                                channel: hazelcast
                                """))
                .extracting(rule -> rule.substring(0, rule.indexOf(' ')))
                .containsExactly(
                        "/synchronization",
                        "/compression",
                        "/channel",
                        "/partitioning/nodeParallel");
    }
}
