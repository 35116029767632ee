package dev.equipoise.launcher.interrupt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.interrupt.InterruptQuestion.Ending;
import dev.equipoise.testing.Patience;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InterruptQuestionTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final BlockingQueue<Ending> endings = new LinkedBlockingQueue<>();

    private InterruptQuestion question(int openRuns, @Nullable String typed) {
        return new InterruptQuestion(
                () -> openRuns,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                typed == null ? null : new BufferedReader(new StringReader(typed)),
                endings::add);
    }

    /** Returns a question on a terminal on which nobody types. */
    private InterruptQuestion silentTerminal(int openRuns) throws IOException {
        return new InterruptQuestion(
                () -> openRuns,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                new BufferedReader(new PipedReader(new PipedWriter())),
                endings::add);
    }

    private String asked() {
        return err.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void commandWithoutOpenRunsEndsAtOnce() {
        question(0, null).run();

        assertThat(endings).containsExactly(Ending.LEAVE);
        assertThat(asked()).isEmpty();
    }

    @Test
    void firstInterruptAsksAndTheSecondCancels() {
        InterruptQuestion question = question(2, null);

        question.run();
        assertThat(endings).isEmpty();
        assertThat(asked())
                .isEqualTo(
                        "equipoise: interrupt again to cancel 2 runs; SIGTERM leaves the runs"
                                + " running");
        question.run();

        assertThat(endings).containsExactly(Ending.CANCEL);
    }

    @Test
    void secondInterruptOnATerminalCancels() throws IOException {
        InterruptQuestion question = silentTerminal(1);

        question.run();
        assertThat(asked()).startsWith("equipoise: press Ctrl-C again to cancel 1 run");
        assertThat(endings).isEmpty();
        question.run();

        assertThat(endings).containsExactly(Ending.CANCEL);
    }

    @Test
    void enterOnATerminalLeavesTheRuns() throws InterruptedException {
        question(1, "\n").run();

        assertThat(endings.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(Ending.LEAVE);
        assertThat(asked())
                .isEqualTo(
                        "equipoise: press Ctrl-C again to cancel 1 run, or Enter to leave the runs"
                                + " running");
    }
}
