package dev.equipoise.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The caller that may use a call, by the table in docs/api.md. */
enum WhoMayCall {
    ANYONE,
    USER,
    VIEWER,
    EDITOR,
    OWNER,
    ADMINISTRATOR,
    ADMINISTRATOR_OF_THE_PROJECT,
    NEWCOMER,
    NEWCOMER_OR_AGENT,
    AGENT;

    private static final Path PAGE = Path.of("../docs/api.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| `([A-Z]+ /\\S*)` \\| ([a-z ]+?) \\|.*$", Pattern.MULTILINE);

    private static WhoMayCall of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace(' ', '_'));
    }

    /** Returns the documented callers by operation, for example {@code GET /runs}. */
    static Map<String, WhoMayCall> documented() throws IOException {
        Map<String, WhoMayCall> rows = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            rows.put(row.group(1), of(row.group(2)));
        }
        return rows;
    }
}
