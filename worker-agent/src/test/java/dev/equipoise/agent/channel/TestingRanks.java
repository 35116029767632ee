package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.fail;

import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs every rank in a thread of its own, as agents do; a rank that fails closes its channel. */
public final class TestingRanks {

    private TestingRanks() {}

    /** What one rank does. */
    public interface Rank {
        void run(Channel channel) throws Exception;
    }

    public static void run(List<Channel> channels, Rank rank) {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (Channel channel : channels) {
            tasks.add(() -> {
                rank.run(channel);
                return null;
            });
        }
        callAll(tasks, channels);
    }

    static <T> List<T> callAll(List<Callable<T>> tasks) {
        return callAll(tasks, List.of());
    }

    private static <T> List<T> callAll(List<Callable<T>> tasks, List<Channel> channels) {
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<T>> results = tasks.stream().map(threads::submit).toList();
            try {
                return results.stream().map(TestingRanks::resultOf).toList();
            } finally {
                // Only matters when one has failed: the others must not wait for it.
                if (results.stream().anyMatch(result -> result.state() != Future.State.SUCCESS)) {
                    channels.forEach(Channel::close);
                    threads.shutdownNow();
                }
            }
        }
    }

    private static <T> T resultOf(Future<T> future) {
        try {
            return future.get(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            return fail("a rank failed", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            return fail("a rank did not end", e);
        }
    }
}
