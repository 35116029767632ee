package dev.equipoise.app.problem;

/** Texts that may be of any length, where only their beginning is of use. */
final class Cut {

    private Cut() {}

    static String to(int most, String text) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }
}
