package dev.equipoise.app.computing;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Has a caller wait for each computation, so that a simulation repeats exactly. */
@TestConfiguration(proxyBeanMethods = false)
public class AwaitedThreads {

    private static final AtomicInteger SIMULATED = new AtomicInteger();

    private final String prefix = "simulated %d ".formatted(SIMULATED.incrementAndGet());

    /** Whether a thread of that name belongs to this service, so that a test finds what it logs. */
    public boolean isNameOfOne(String thread) {
        return thread.startsWith(prefix);
    }

    @Bean
    @Primary
    ComputingThreads awaitedThreads() {
        return new ComputingThreads() {
            @Override
            public ComputingThread create(String name, int mostWaiting) {
                return new Awaited(prefix + name, mostWaiting);
            }
        };
    }

    /** Computes on its own thread: that of the caller may have a transaction to end. */
    private static final class Awaited extends ComputingThread {

        Awaited(String name, int mostWaiting) {
            super(name, mostWaiting);
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
