package dev.equipoise.app.computing;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Has a caller wait for each computation, so that a simulation repeats exactly. */
@TestConfiguration(proxyBeanMethods = false)
public class AwaitedThreads {

    /** Begins the threads' names, so that a test finds what a simulation has logged. */
    public static final String PREFIX = "simulated ";

    @Bean
    @Primary
    ComputingThreads awaitedThreads() {
        return new ComputingThreads() {
            @Override
            public ComputingThread create(String name, int mostWaiting) {
                return new Awaited(PREFIX + name, mostWaiting);
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
