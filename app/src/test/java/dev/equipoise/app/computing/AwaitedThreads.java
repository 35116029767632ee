package dev.equipoise.app.computing;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.task.TaskExecutor;

/**
 * Makes callers wait for each computation and for what the service does after a response, so that a
 * simulation repeats exactly.
 */
@TestConfiguration(proxyBeanMethods = false)
public class AwaitedThreads {

    private static final AtomicInteger SIMULATED = new AtomicInteger();

    private final String prefix = "simulated %d ".formatted(SIMULATED.incrementAndGet());

    /** Whether a thread of that name belongs to this service; a test filters log lines by it. */
    public boolean isNameOfOne(String thread) {
        return thread.startsWith(prefix);
    }

    @Bean
    @Primary
    ComputeThreads awaitedThreads() {
        return new ComputeThreads() {
            @Override
            public ComputeThread create(String name, int maxWaiting) {
                return new Awaited(prefix + name, maxWaiting);
            }
        };
    }

    @Bean
    TaskExecutor applicationTaskExecutor() {
        ComputeThread later = new Awaited(prefix + "later", 1);
        return later::start;
    }

    /** Computes on its own thread, as the caller may be inside a transaction. */
    private static final class Awaited extends ComputeThread {

        Awaited(String name, int maxWaiting) {
            super(name, maxWaiting);
        }

        @Override
        public void start(Runnable computation) {
            boolean _ =
                    call(() -> {
                        computation.run();
                        return true;
                    });
        }
    }
}
