package dev.equipoise.benchmarks.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Readers of run events, each with its own stream. */
final class EventReaders implements AutoCloseable {

    private static final String AT = "\"at\":\"";
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final List<InputStream> streams = new ArrayList<>();
    private final AtomicInteger reading = new AtomicInteger();
    private volatile Latencies delays = new Latencies();
    private volatile boolean closing;

    private EventReaders() {}

    /** Opens event streams, distributed over the runs. */
    static EventReaders open(Api api, List<String> runs, int count) throws InterruptedException {
        var readers = new EventReaders();
        for (int number = 0; number < count; number++) {
            readers.add(api.events(runs.get(number % runs.size())));
        }
        return readers;
    }

    private void add(InputStream stream) {
        streams.add(stream);
        reading.incrementAndGet();
        Thread.startVirtualThread(() -> read(stream));
    }

    private void read(InputStream stream) {
        try (var lines =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                onLine(line);
            }
        } catch (IOException e) {
            if (!closing) {
                throw new UncheckedIOException(e);
            }
        } finally {
            reading.decrementAndGet();
        }
    }

    private void onLine(String line) {
        int at = line.indexOf(AT);
        if (line.startsWith("data:") && at > 0) {
            int begin = at + AT.length();
            Instant recorded = Instant.parse(line.substring(begin, line.indexOf('"', begin)));
            delays.add(Duration.between(recorded, Instant.now()).toNanos() / NANOS_PER_MILLISECOND);
        }
    }

    /**
     * Starts new statistics of the delays from the record of an event to its arrival at a reader.
     */
    Latencies delays() {
        delays = new Latencies();
        return delays;
    }

    /** Returns the number of open streams. */
    int reading() {
        return reading.get();
    }

    @Override
    public void close() {
        closing = true;
        for (InputStream stream : streams) {
            try {
                stream.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
