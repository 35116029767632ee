package dev.equipoise.launcher;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a test accuracy of the command line: {@code 0.9}, {@code 90%} or {@code accuracy=0.9}. */
public final class TargetAccuracy {

    private static final Pattern FORM =
            Pattern.compile("(?:accuracy=)?(\\d{0,3}(?:\\.\\d+)?|\\d{1,3}\\.)( ?%)?");

    private TargetAccuracy() {}

    /**
     * Returns the accuracy, from 0 to 1.
     *
     * @throws UsageError if the text is no accuracy
     */
    public static double of(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (form.matches() && !form.group(1).isEmpty()) {
            BigDecimal number = new BigDecimal(form.group(1));
            BigDecimal accuracy = form.group(2) == null ? number : number.movePointLeft(2);
            if (accuracy.compareTo(BigDecimal.ONE) <= 0) {
                return accuracy.doubleValue();
            }
        }
        throw new UsageError(
                "--target must be an accuracy from 0 to 1, such as 0.9 or 90%, but was " + text);
    }
}
