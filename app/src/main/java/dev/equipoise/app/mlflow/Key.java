package dev.equipoise.app.mlflow;

import java.util.regex.Pattern;

/** Names and values that MLflow takes: what it would refuse becomes something like it. */
final class Key {

    /** Of the name of a parameter, a metric or a tag, in characters. */
    static final int LONGEST_NAME = 250;

    /** Of a parameter: servers before 2.8 take no more, later ones 6000 characters. */
    static final int LONGEST_PARAM = 500;

    /** Of a tag. */
    static final int LONGEST_TAG = 5000;

    private static final String CUT = "...";
    private static final Pattern FOREIGN = Pattern.compile("[^A-Za-z0-9_. -]");

    private Key() {}

    /** A name is also that of a file: it holds no slash, and begins with no dot. */
    static String of(String name) {
        String plain = FOREIGN.matcher(name).replaceAll("_");
        String visible = plain.isEmpty() || plain.startsWith(".") ? "_" + plain : plain;
        return cut(LONGEST_NAME, visible);
    }

    /** Of at most so many characters; that it was longer is seen. */
    static String cut(int most, String text) {
        if (text.length() <= most) {
            return text;
        }
        int end = most - CUT.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
                + CUT;
    }
}
