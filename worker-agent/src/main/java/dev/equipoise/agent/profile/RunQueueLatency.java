package dev.equipoise.agent.profile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/*
 * /proc/self/task/T/schedstat holds the nanoseconds that a thread has run, the nanoseconds that it
 * was ready and waited for a processor, and a count.
 */

/**
 * Measures the run-queue latency: how long threads of this process are ready to run without a
 * processor.
 */
final class RunQueueLatency {

    private static final Path THREADS = Path.of("/proc/self/task");

    private final Path threads;

    RunQueueLatency() {
        this(THREADS);
    }

    /**
     * @param threads folder in the form of Linux's /proc/self/task, with one folder for each
     *     thread; without it, no thread is known to wait
     */
    RunQueueLatency(Path threads) {
        this.threads = threads;
    }

    /** Nanoseconds since the thread began. */
    record Times(long running, long ready) {

        static final Times NONE = new Times(0, 0);

        Times since(Times earlier) {
            return new Times(running - earlier.running, ready - earlier.ready);
        }

        long all() {
            return running + ready;
        }
    }

    /** Times of all threads up to a moment. */
    record Reading(Map<String, Times> threads) {

        Reading {
            threads = Map.copyOf(threads);
        }

        /**
         * Returns the fraction, from 0 to 1, of the time since an earlier reading for which
         * computing threads waited. Computing threads are those that ran or waited at least half as
         * long as the busiest one, which excludes background compilers and garbage collectors.
         */
        double waitedSince(Reading earlier) {
            Map<String, Times> since = new HashMap<>();
            threads.forEach((thread, times) ->
                    since.put(
                            thread, times.since(earlier.threads.getOrDefault(thread, Times.NONE))));
            long busiest = since.values().stream().mapToLong(Times::all).max().orElse(0);
            long all = 0;
            long ready = 0;
            for (Times times : since.values()) {
                if (times.all() > 0 && times.all() >= busiest / 2) {
                    all += times.all();
                    ready += times.ready();
                }
            }
            return all == 0 ? 0 : (double) ready / all;
        }
    }

    Reading read() {
        Map<String, Times> times = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                read(thread, times);
            }
        } catch (IOException _) {
            // Not Linux, or a kernel without these counts: no thread is known to wait.
            return new Reading(Map.of());
        }
        return new Reading(times);
    }

    private static void read(Path thread, Map<String, Times> times) {
        try {
            String[] fields = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            times.put(
                    thread.getFileName().toString(),
                    new Times(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
        } catch (IOException _) {
            // The thread has ended since the folder was listed.
        }
    }
}
