package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.fail;

import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs every rank in its own thread, as agents do. The first rank that fails stops the others, and
 * its failure is reported.
 */
public final class TestingRanks {

    private TestingRanks() {}

    /** The program of one rank. */
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
            var ended = new ExecutorCompletionService<T>(threads);
            List<Future<T>> results = tasks.stream().map(ended::submit).toList();
            try {
                for (int rank = 0; rank < results.size(); rank++) {
                    awaitNext(ended);
                }
                return results.stream().map(Future::resultNow).toList();
            } finally {
                // Only matters if a rank has failed: the others must not wait for it.
                if (results.stream().anyMatch(result -> result.state() != Future.State.SUCCESS)) {
                    channels.forEach(Channel::close);
                    threads.shutdownNow();
                }
            }
        }
    }

    private static void awaitNext(CompletionService<?> ended) {
        try {
            Future<?> next = ended.poll(Patience.SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                fail("a rank did not end within %d s".formatted(Patience.SECONDS));
            } else {
                next.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            fail("a rank failed", e.getCause());
        } catch (InterruptedException e) {
            fail("a rank did not end", e);
        }
    }
}
