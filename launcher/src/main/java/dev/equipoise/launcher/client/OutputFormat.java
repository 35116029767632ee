package dev.equipoise.launcher.client;

import java.util.Locale;

/** Format in which a command writes its result to standard output. */
enum OutputFormat {
    /** Columns for people. */
    TABLE,
    /** All fields of the API. */
    JSON,
    /** All fields of the API. */
    YAML,
    /** The columns of the table, with whole ids and unrounded numbers. */
    CSV;

    /** Returns the name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
