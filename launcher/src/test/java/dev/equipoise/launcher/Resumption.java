package dev.equipoise.launcher;

import java.util.Locale;

/** How a run continued after a fault. */
sealed interface Resumption {

    /** The fault began no new generation. */
    record Undisturbed() implements Resumption {}

    /**
     * The remaining ranks trained on, and the next generation began at the end of the epoch.
     *
     * @param seconds from the fault to the state RUNNING of the next generation
     */
    record TrainedOn(double seconds) implements Resumption {}

    /**
     * The run stopped and resumed.
     *
     * @param seconds from the fault to the state RUNNING of the next generation
     */
    record Resumed(double seconds) implements Resumption {}

    /** Returns the text of a table cell. */
    default String text() {
        return switch (this) {
            case Undisturbed _ -> "never stopped";
            case TrainedOn(double seconds) ->
                    String.format(Locale.ROOT, "on, new shares after %.1f s", seconds);
            case Resumed(double seconds) -> String.format(Locale.ROOT, "%.1f s", seconds);
        };
    }
}
