package dev.equipoise.app.database;

import java.util.List;
import java.util.regex.Pattern;

/** The rules of {@code pg_hba.conf}: which clients may connect, and how they authenticate. */
record ClientAuthenticationRules(List<String> lines) {

    /** The authentication method that {@code initdb} writes into the file. */
    static final String METHOD = "scram-sha-256";

    /** Matches a rule with the method {@code trust}: the last word of a line, without options. */
    private static final Pattern TRUST =
            Pattern.compile("^(\\s*[^#\\s][^#]*\\s)trust(\\s*(#.*)?)$");

    ClientAuthenticationRules {
        lines = List.copyOf(lines);
    }

    /** Tells whether a rule admits clients without a password. */
    boolean trustAnybody() {
        return lines.stream().anyMatch(line -> TRUST.matcher(line).matches());
    }

    /** Returns the same rules with a password required in place of {@code trust}. */
    ClientAuthenticationRules withPasswords() {
        return new ClientAuthenticationRules(
                lines.stream()
                        .map(line -> TRUST.matcher(line).replaceFirst("$1" + METHOD + "$2"))
                        .toList());
    }

    /** Returns the content of the file. */
    String text() {
        return String.join("\n", lines) + "\n";
    }
}
