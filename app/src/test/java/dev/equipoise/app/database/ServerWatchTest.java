package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerWatchTest {

    private static final int MAX_ATTEMPTS = 3;

    private final TestingServer server = new TestingServer();
    private final List<String> reasons = new ArrayList<>();
    private final ServerWatch watch = new ServerWatch(server, MAX_ATTEMPTS, reasons::add);

    private static final class TestingServer implements ServerWatch.Server {

        private boolean isAlive = true;
        private boolean isBroken;
        private int restarts;

        @Override
        public boolean isAlive() {
            return isAlive;
        }

        @Override
        public void restart() throws IOException {
            restarts++;
            if (isBroken) {
                throw new IOException("No space left on device");
            }
            isAlive = true;
        }

        @Override
        public String description() {
            return "the server";
        }
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(watch.look()).isTrue();
        }
    }

    @Test
    void runningServerIsLeftAlone() {
        look(10);

        assertThat(server.restarts).isZero();
    }

    @Test
    void endedServerIsStartedAgain() {
        server.isAlive = false;
        look(2);

        assertThat(server.restarts).isEqualTo(1);
        assertThat(reasons).isEmpty();
    }

    @Test
    void failedAttemptIsRepeated() {
        server.isAlive = false;
        server.isBroken = true;
        look(2);
        server.isBroken = false;
        look(2);

        assertThat(server.isAlive).isTrue();
        assertThat(server.restarts).isEqualTo(3);
        assertThat(reasons).isEmpty();
    }

    @Test
    void watchEndsWithTheReasonAfterTheLastAttempt() {
        server.isAlive = false;
        server.isBroken = true;
        look(MAX_ATTEMPTS);

        assertThat(watch.look()).isFalse();
        assertThat(reasons)
                .containsExactly(
                        "the server ended, and 3 attempts to start it again failed: No space left"
                                + " on device");
        assertThat(server.restarts).isEqualTo(MAX_ATTEMPTS);
    }

    @Test
    void serverThatEndsSoonAfterEachStartIsGivenUp() {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            server.isAlive = false;
            look(ServerWatch.LOOKS_TO_RECOVER);
        }
        server.isAlive = false;

        assertThat(watch.look()).isFalse();
        assertThat(reasons).singleElement().asString().endsWith("it started, but ended again");
    }

    @Test
    void serverThatRunsForLongMayEndAnyNumberOfTimes() {
        for (int i = 0; i < 2 * MAX_ATTEMPTS; i++) {
            server.isAlive = false;
            look(1 + ServerWatch.LOOKS_TO_RECOVER);
        }

        assertThat(server.restarts).isEqualTo(2 * MAX_ATTEMPTS);
        assertThat(reasons).isEmpty();
    }

    @Test
    void withoutAttemptsTheWatchEndsAtOnce() {
        server.isAlive = false;

        assertThat(new ServerWatch(server, 0, reasons::add).look()).isFalse();
        assertThat(reasons).hasSize(1);
        assertThat(server.restarts).isZero();
    }

    @Test
    void stoppedWatchStartsNothing() {
        watch.stop();
        watch.begin();
        server.isAlive = false;
        watch.close();

        assertThat(server.restarts).isZero();
    }
}
