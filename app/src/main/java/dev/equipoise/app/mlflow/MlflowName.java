package dev.equipoise.app.mlflow;

import java.util.regex.Pattern;

/** Converts names and values to ones that MLflow accepts. */
final class MlflowName {

    /** Limit of the name of a parameter, metric or tag, in characters. */
    static final int MAX_NAME_LENGTH = 250;

    /** Limit of the value of a parameter, in characters; servers from 2.8 on accept 6,000. */
    static final int MAX_PARAM_LENGTH = 500;

    /** Limit of the value of a tag, in characters. */
    static final int MAX_TAG_LENGTH = 5000;

    private static final String CUT = "...";
    private static final Pattern FOREIGN = Pattern.compile("[^A-Za-z0-9_. -]");

    private MlflowName() {}

    /**
     * Converts a name. A tracking server may use it as a file name, so it has no slash and does not
     * begin with a dot.
     */
    static String of(String name) {
        String plain = FOREIGN.matcher(name).replaceAll("_");
        String visible = plain.isEmpty() || plain.startsWith(".") ? "_" + plain : plain;
        return cut(MAX_NAME_LENGTH, visible);
    }

    /** Cuts a text to a limit of characters and marks the cut. */
    static String cut(int most, String text) {
        if (text.length() <= most) {
            return text;
        }
        int end = most - CUT.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
                + CUT;
    }
}
