package dev.equipoise.launcher;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shows the progress of long work: a bar that moves on a terminal, or a line for every quarter and
 * for every new reason of a wait if the output goes to a file.
 */
public final class Progress {

    private static final int WIDTH = 30;
    private static final Duration PERIOD = Duration.ofMillis(250);

    private final PrintStream out;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final Runnable pause;
    private String shown = "";

    /**
     * Creates a display of progress.
     *
     * @param nanoTime clock, in nanoseconds
     * @param pause waits before the next poll
     */
    public Progress(PrintStream out, boolean terminal, LongSupplier nanoTime, Runnable pause) {
        this.out = out;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    static Progress onStandardOutput() {
        return new Progress(System.out, isTerminal(), System::nanoTime, () -> Pause.of(PERIOD));
    }

    /** Returns whether the command talks to a person. */
    public static boolean isTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /**
     * The state of some work.
     *
     * @param fraction from 0 to 1; the work is done at 1
     * @param note what happens now
     * @param obstacle what the work waits for; empty if it goes on
     */
    public record State(double fraction, String note, String obstacle) {

        /** Creates the state of work that goes on. */
        public State(double fraction, String note) {
            this(fraction, note, "");
        }

        /** Creates the state of work that has not begun. */
        public static State waiting(String obstacle) {
            return new State(0, obstacle, obstacle);
        }
    }

    /** Polls the work and shows its state until it is done. */
    public void untilDone(String what, Supplier<State> work) {
        long start = nanoTime.getAsLong();
        State state = work.get();
        while (state.fraction() < 1) {
            show(line(what, state, seconds(start)), milestone(what, state));
            pause.run();
            state = work.get();
        }
        end(line(what, state, seconds(start)));
    }

    /**
     * Waits until nothing is missing.
     *
     * @param obstacle what is still missing; empty when nothing is
     * @throws LabFailure when the limit has passed
     */
    void awaitReady(String what, Duration limit, Supplier<String> obstacle) {
        long end = nanoTime.getAsLong() + limit.toNanos();
        untilDone(
                what,
                () -> {
                    String missing = obstacle.get();
                    if (!missing.isEmpty() && nanoTime.getAsLong() > end) {
                        throw new LabFailure(
                                "%s took longer than %d s: %s; raise --start-timeout"
                                        .formatted(what, limit.toSeconds(), missing));
                    }
                    return missing.isEmpty() ? new State(1, "") : State.waiting(missing);
                });
    }

    private void show(String line, String milestone) {
        if (terminal) {
            out.print("\r\u001b[K" + line);
            out.flush();
        } else if (!milestone.equals(shown)) {
            shown = milestone;
            out.println(line);
        }
    }

    /** Prints a line; the bar appears again below it. */
    void say(String sentence) {
        end(sentence);
    }

    private void end(String line) {
        out.println(terminal ? "\r\u001b[K" + line : line);
    }

    private static String line(String what, State state, long seconds) {
        int filled = (int) Math.round(WIDTH * Math.clamp(state.fraction(), 0, 1));
        return String.format(
                Locale.ROOT,
                "%-36s [%s%s] %3d %% %4d s  %s",
                what,
                "#".repeat(filled),
                ".".repeat(WIDTH - filled),
                Math.round(100 * state.fraction()),
                seconds,
                state.note());
    }

    private static String milestone(String what, State state) {
        return "%s %d %s".formatted(what, (int) (4 * state.fraction()), state.obstacle());
    }

    private long seconds(long start) {
        return Duration.ofNanos(nanoTime.getAsLong() - start).toSeconds();
    }
}
