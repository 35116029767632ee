package dev.equipoise.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunQueueTest {

    @TempDir private Path threads;

    private void thread(String id, long running, long ready) throws IOException {
        Path folder = Files.createDirectories(threads.resolve(id));
        Files.writeString(folder.resolve("schedstat"), running + " " + ready + " 7\n");
    }

    @Test
    void onlyThreadsThatComputeAreHeard() throws IOException {
        var queue = new RunQueue(threads);
        thread("1", 5_000, 5_000);
        thread("2", 100, 100);
        RunQueue.Reading before = queue.read();

        thread("1", 5_900, 5_100);
        thread("2", 100, 500);
        thread("3", 600, 200);

        assertThat(queue.read().waitedSince(before))
                .as("100 of 1,000 and 200 of 800 ns; 400 ns of one in the background do not count")
                .isCloseTo(300 / 1_800.0, within(1e-12));
    }

    @Test
    void whereNothingIsCountedNobodyWaits() {
        var queue = new RunQueue(threads.resolve("none"));

        assertThat(queue.read().waitedSince(queue.read())).isZero();
    }

    @Test
    void threadsOfThisProcessAreCounted() {
        assertThat(new RunQueue().read().threads()).isNotEmpty();
    }
}
