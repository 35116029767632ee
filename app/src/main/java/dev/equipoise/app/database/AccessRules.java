package dev.equipoise.app.database;

import java.util.List;
import java.util.regex.Pattern;

/** The lines of {@code pg_hba.conf}: who may connect, and how they prove who they are. */
record AccessRules(List<String> lines) {

    /** How {@code initdb} is told to fill the file. */
    static final String METHOD = "scram-sha-256";

    /** The method is the last word of a line; it takes no options. */
    private static final Pattern TRUST =
            Pattern.compile("^(\\s*[^#\\s][^#]*\\s)trust(\\s*(#.*)?)$");

    AccessRules {
        lines = List.copyOf(lines);
    }

    /** Whether anybody may connect without a proof. */
    boolean trustAnybody() {
        return lines.stream().anyMatch(line -> TRUST.matcher(line).matches());
    }

    /** The same rules, with a password where there was trust. */
    AccessRules withPasswords() {
        return new AccessRules(
                lines.stream()
                        .map(line -> TRUST.matcher(line).replaceFirst("$1" + METHOD + "$2"))
                        .toList());
    }

    /** The content of the file. */
    String text() {
        return String.join("\n", lines) + "\n";
    }
}
