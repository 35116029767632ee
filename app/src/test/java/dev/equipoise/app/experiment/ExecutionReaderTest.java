package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.rulesBrokenBy;
import static dev.equipoise.app.experiment.TestingDefinitions.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Link;
import dev.equipoise.protocol.Execution.Point;
import dev.equipoise.protocol.Execution.Speed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

class ExecutionReaderTest {

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Link USUAL = new Link(50, 1000);

    private static Execution execution(String execution) {
        return with("execution: " + execution).execution();
    }

    @Test
    void moreSpeedsThanReplicasAreRejected() {
        assertThat(rulesBrokenBy("execution: {kind: virtual, samplesPerSecond: [1, 2, 3, 4]}\n"))
                .containsExactly("/execution must have no more speeds than there are replicas, 3");
    }

    @Test
    void executionIsRealByDefault() {
        assertThat(with("").execution()).isEqualTo(new Execution.Real());
        assertThat(with("").workersWanted()).isEqualTo(3);
    }

    @Test
    void virtualRunNeedsOneWorkerAndItsSpeed() {
        RunConfiguration resolved = with("execution: virtual\ntopology: parameter-server");

        assertThat(resolved.execution()).isEqualTo(new Execution.Virtual(List.of(), 0, USUAL));
        assertThat(resolved.ranks()).isEqualTo(4);
        assertThat(resolved.workersWanted()).isEqualTo(1);
        assertThat(resolved.wantsSpeeds()).isTrue();
    }

    @Test
    void givenSpeedsNeedNoProfile() {
        RunConfiguration resolved =
                with(
                        "execution: { kind: virtual, samplesPerSecond: 100 }\npartitioning:"
                                + " functional");

        assertThat(resolved.wantsSpeeds()).isFalse();
        assertThat(resolved.execution())
                .isEqualTo(new Execution.Virtual(List.of(Speed.of(100)), 0, USUAL));
    }

    @Test
    void speedsAreRepeatedOverTheReplicas() {
        var virtual =
                (Execution.Virtual)
                        execution(
                                "{ kind: virtual, samplesPerSecond: [100, 200], jitter: 0.1, link: {"
                                        + " latencyMicroseconds: 5, megabytesPerSecond: 100 } }");

        assertThat(virtual.speed(0)).isEqualTo(Speed.of(100));
        assertThat(virtual.speed(3)).isEqualTo(Speed.of(200));
        assertThat(virtual.jitter()).isEqualTo(0.1);
        assertThat(virtual.link()).isEqualTo(new Link(5, 100));
    }

    @Test
    void speedMayBeGivenByPoints() {
        assertThat(
                        execution(
                                "{ kind: virtual, points: [{ size: 8, seconds: 0.5 }, { size: 16,"
                                        + " seconds: 0.75 }] }"))
                .isEqualTo(
                        new Execution.Virtual(
                                List.of(new Speed(List.of(new Point(8, 0.5), new Point(16, 0.75)))),
                                0,
                                USUAL));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "virtual",
                "{ kind: virtual, samplesPerSecond: [100, 300] }",
                "{ kind: virtual, points: [{ size: 8, seconds: 0.5 }] }",
                "{ kind: virtual, speeds: [{ points: [{ size: 8, seconds: 0.5 }] }], jitter: 1 }"
            })
    void resolvedExecutionResolvesToItself(String execution) {
        RunConfiguration resolved = with("execution: " + execution);

        assertThat(Definition.read(JSON.valueToTree(resolved)).configurations())
                .containsExactly(resolved);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "imaginary | /execution/kind must be one of [real, virtual, replay]",
                "{kind: virtual, samplesPerSecond: 0} | /execution/samplesPerSecond must be from 1.0E-6 to 1.0E12",
                "{kind: virtual, samplesPerSecond: []} | /execution/samplesPerSecond must be a list of 1 to 1024 numbers",
                "{kind: virtual, samplesPerSecond: [1, x]} | /execution/samplesPerSecond/1 must be a number from 1.0E-6"
                        + " to 1.0E12",
                "{kind: virtual, samplesPerSecond: fast} | /execution/samplesPerSecond must be a list of 1 to 1024"
                        + " numbers",
                "{kind: virtual, points: []} | /execution/points must be a list of 1 to 100 elements",
                "{kind: virtual, points: [{size: 0, seconds: 1}]} | /execution/points/0/size must be from 1 to 1000000",
                "{kind: virtual, points: [{size: 1, seconds: 0}]} | /execution/points/0/seconds must be from 1.0E-12 to"
                        + " 1000000.0",
                "{kind: virtual, points: [{size: 1}]} | /execution/points/0/seconds must be given",
                "{kind: virtual, points: [7]} | /execution/points/0 must be an object",
                "{kind: virtual, points: [{size: 2, seconds: 1}, {size: 2, seconds: 2}]} | /execution/points/1 must be"
                        + " larger than the one before and take no less time",
                "{kind: virtual, points: [{size: 2, seconds: 1}, {size: 3, seconds: 0.5}]} | /execution/points/1 must be"
                        + " larger than the one before and take no less time",
                "{kind: virtual, samplesPerSecond: 1, points: [{size: 1, seconds: 1}]} |"
                        + " /execution/points must not be given with samplesPerSecond",
                "{kind: virtual, samplesPerSecond: 1, speeds: []} | /execution/speeds must not be"
                        + " given with samplesPerSecond",
                "{kind: virtual, speeds: [{points: []}]} | /execution/speeds/0/points must be a list of 1 to 100 elements",
                "{kind: real, jitter: 0} | /execution/jitter is not a field; the fields here are [kind]",
                "{kind: virtual, jitter: -1} | /execution/jitter must be from 0.0 to 3.0",
                "{kind: virtual, link: {latencyMicroseconds: -1}} | /execution/link/latencyMicroseconds must be from 0.0"
                        + " to 1.0E7",
                "{kind: virtual, link: {megabytesPerSecond: 0}} | /execution/link/megabytesPerSecond must be from 0.1 to"
                        + " 1000000.0",
                "{kind: virtual, link: {speed: 1}} | /execution/link/speed is not a field; the fields here are"
                        + " [latencyMicroseconds, megabytesPerSecond]"
            })
    void invalidExecutionIsRejected(String execution, String rule) {
        assertThat(rulesBrokenBy("execution: " + execution)).containsExactly(rule);
    }
}
