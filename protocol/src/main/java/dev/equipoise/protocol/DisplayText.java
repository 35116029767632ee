package dev.equipoise.protocol;

import java.util.regex.Pattern;

/**
 * Rule for names and labels, which appear in logs, terminals and pages: they contain no control
 * characters, no format characters (Unicode categories Cc and Cf) and no line or paragraph
 * separators, so that a name can neither begin a line of a log nor change the text around it.
 * Messages check it where names enter, so that names that are stored already can still be read.
 */
public final class DisplayText {

    private static final String FORBIDDEN = "\\p{Cc}\\p{Cf}\\u2028\\u2029";

    /** Regular expression of the texts that obey the rule, the empty one included. */
    public static final String REGEX = "^[^" + FORBIDDEN + "]*$";

    /** The rule, for error messages. */
    public static final String RULE = "must not contain control characters or line separators";

    private static final Pattern ALLOWED = Pattern.compile(REGEX);
    private static final Pattern FORBIDDEN_RUN = Pattern.compile("[" + FORBIDDEN + "]+");

    private DisplayText() {}

    /** Returns whether a text obeys the rule. */
    public static boolean isValid(String text) {
        return ALLOWED.matcher(text).matches();
    }

    /** Returns a text in one line: each run of forbidden characters becomes a blank. */
    public static String clean(String text) {
        return FORBIDDEN_RUN.matcher(text).replaceAll(" ").strip();
    }
}
