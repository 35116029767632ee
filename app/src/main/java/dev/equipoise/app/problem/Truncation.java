package dev.equipoise.app.problem;

/** Truncates texts of any length of which only the beginning is useful. */
final class Truncation {

    private Truncation() {}

    static String to(int length, String text) {
        return text.length() <= length ? text : text.substring(0, length) + "...";
    }
}
