package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.testing.Night;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the demo with small settings: the service, three agents, real data, two runs. */
class DemoIT {

    @TempDir private Path folder;

    @Test
    void comparesTrainingWithEqualAndFunctionalShares() throws Exception {
        JsonNode summary = summaryOf(6_000);

        assertThat(summary.path("dataset").asString()).isEqualTo("mnist");
        assertThat(summary.path("runs").size()).isEqualTo(2);
        JsonNode equal = summary.path("runs").path(0);
        JsonNode functional = summary.path("runs").path(1);
        assertThat(summary.path("speedup").asDouble())
                .isCloseTo(
                        equal.path("epochSeconds").asDouble()
                                / functional.path("epochSeconds").asDouble(),
                        within(1e-9));
        assertThat(equal.path("testAccuracy").asDouble())
                .isCloseTo(functional.path("testAccuracy").asDouble(), within(0.1));
        for (JsonNode run : summary.path("runs")) {
            assertComplete(run, 6_000);
            assertThat(run.path("testAccuracy").asDouble()).isGreaterThan(0.3);
        }
        assertThat(shares(summary, 0)).containsExactly(2000, 2000, 2000);
    }

    @Test
    @Night("compares measured speeds")
    void functionalSharesAndPredictionsFollowWorkerSpeeds() throws Exception {
        int samples = 12_000;

        JsonNode summary = summaryOf(samples);

        assertThat(shareOfFast(summary.path("runs").path(1)))
                .as("the share of the worker that is 2.31 times as fast as the others")
                .isGreaterThan(samples / 3);
        for (JsonNode run : summary.path("runs")) {
            assertComplete(run, samples);
            assertThat(run.path("testAccuracy").asDouble()).isGreaterThan(0.5);
            assertThat(
                            run.path("predictedEpochSeconds").asDouble()
                                    / run.path("epochSeconds").asDouble())
                    .as("predicted over measured time, on a machine with other load")
                    .isBetween(0.2, 5.0);
        }
    }

    private JsonNode summaryOf(int samples) throws Exception {
        Path file = folder.resolve("summary.json");

        TestingCommand.Ended ended =
                TestingCommand.launcher(
                        "demo",
                        "--data=" + folder.resolve("data"),
                        "--epochs=2",
                        "--limit=" + samples,
                        "--summary=" + file);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("partitioning equal", "partitioning functional")
                .contains("replicas bit-identical after every epoch")
                .contains("Speedup of functional over equal");
        return JsonMapper.builder().build().readTree(file.toFile());
    }

    private static int shareOfFast(JsonNode run) {
        return run.path("ranks")
                .valueStream()
                .filter(rank -> rank.path("worker").asString().equals("fast"))
                .mapToInt(rank -> rank.path("samples").asInt())
                .findFirst()
                .orElseThrow();
    }

    private static void assertComplete(JsonNode run, int samples) {
        assertThat(run.path("replicasIdentical").asBoolean()).isTrue();
        assertThat(run.path("epochSeconds").asDouble()).isPositive();
        assertThat(run.path("predictedEpochSeconds").asDouble()).isPositive();
        assertThat(run.path("shares").valueStream().mapToInt(JsonNode::asInt).sum())
                .isEqualTo(samples);
        for (JsonNode rank : run.path("ranks")) {
            assertThat(rank.path("computeSeconds").asDouble()).isPositive();
            assertThat(rank.path("bytesSent").asLong()).isPositive();
        }
    }

    private static int[] shares(JsonNode summary, int run) {
        JsonNode shares = summary.path("runs").path(run).path("shares");
        return IntStream.range(0, shares.size()).map(rank -> shares.path(rank).asInt()).toArray();
    }
}
