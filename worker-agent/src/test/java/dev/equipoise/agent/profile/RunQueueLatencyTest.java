package dev.equipoise.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunQueueLatencyTest {

    @TempDir private Path threads;

    private void thread(String id, long running, long ready) throws IOException {
        Path folder = Files.createDirectories(threads.resolve(id));
        Files.writeString(folder.resolve("schedstat"), running + " " + ready + " 7\n");
    }

    @Test
    void onlyComputingThreadsCount() throws IOException {
        var queue = new RunQueueLatency(threads);
        thread("1", 5_000, 5_000);
        thread("2", 100, 100);
        RunQueueLatency.Reading before = queue.read();

        thread("1", 5_900, 5_100);
        thread("2", 100, 500);
        thread("3", 600, 200);

        assertThat(queue.read().waitedSince(before))
                .as("100 of 1,000 and 200 of 800 ns; 400 ns of a background thread do not count")
                .isCloseTo(300 / 1_800.0, within(1e-12));
    }

    @Test
    void withoutCountsNoThreadWaits() {
        var queue = new RunQueueLatency(threads.resolve("none"));

        assertThat(queue.read().waitedSince(queue.read())).isZero();
    }

    @Test
    void countsThreadsOfThisProcess() {
        assertThat(new RunQueueLatency().read().threads()).isNotEmpty();
    }
}
