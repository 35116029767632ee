package dev.equipoise.launcher.interrupt;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reacts to Ctrl-C while runs of a service are open: the first asks what becomes of them, the
 * second cancels them. Without open runs the first ends the command.
 */
public final class InterruptQuestion implements Runnable {

    /** Fate of the open runs when the command ends. */
    public enum Ending {
        LEAVE,
        CANCEL
    }

    private final IntSupplier openRuns;
    private final PrintStream err;
    private final @Nullable BufferedReader answers;
    private final Consumer<Ending> end;
    private final AtomicBoolean hasAsked = new AtomicBoolean();

    /**
     * Creates the question, which is not asked yet.
     *
     * @param answers the terminal, on which Enter leaves the runs; null without a terminal
     * @param end ends the command
     */
    public InterruptQuestion(
            IntSupplier openRuns,
            PrintStream err,
            @Nullable BufferedReader answers,
            Consumer<Ending> end) {
        this.openRuns = openRuns;
        this.err = err;
        this.answers = answers;
        this.end = end;
    }

    @Override
    public void run() {
        int open = openRuns.getAsInt();
        if (open == 0) {
            end.accept(Ending.LEAVE);
        } else if (hasAsked.getAndSet(true)) {
            end.accept(Ending.CANCEL);
        } else {
            ask(open == 1 ? "1 run" : open + " runs");
        }
    }

    private void ask(String runs) {
        if (answers == null) {
            err.printf(
                    "%nequipoise: interrupt again to cancel %s; SIGTERM leaves the runs running%n",
                    runs);
        } else {
            ask(answers, runs);
        }
    }

    private void ask(BufferedReader terminal, String runs) {
        err.printf(
                "%nequipoise: press Ctrl-C again to cancel %s, or Enter to leave the runs"
                        + " running%n",
                runs);
        Thread.ofPlatform().daemon().start(() -> leaveAtEnter(terminal));
    }

    private void leaveAtEnter(BufferedReader terminal) {
        try {
            if (terminal.readLine() != null) {
                end.accept(Ending.LEAVE);
            }
        } catch (IOException closed) {
            // A terminal that is gone sends SIGHUP, which leaves the runs.
        }
    }
}
