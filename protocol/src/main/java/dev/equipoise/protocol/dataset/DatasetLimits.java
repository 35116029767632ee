package dev.equipoise.protocol.dataset;

/** Checks that the fields of a data set are within their limits. */
final class DatasetLimits {

    private DatasetLimits() {}

    static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be from %d to %d, but was %d".formatted(name, least, most, value));
        }
    }

    /** Rejects a data set with more values than one array can hold. */
    static void numbers(int samples, int numbersOfASample) {
        long numbers = (long) samples * numbersOfASample;
        if (numbers > DatasetSpec.MAX_NUMBERS) {
            throw new IllegalArgumentException(
                    "%d samples or classes of %d numbers have %d numbers: at most %d fit"
                            .formatted(
                                    samples, numbersOfASample, numbers, DatasetSpec.MAX_NUMBERS));
        }
    }

    /** Requires a plain folder name, so that no path leads elsewhere. */
    static void folder(String name) {
        if (!name.matches(OwnSpec.FOLDER)) {
            throw new IllegalArgumentException(
                    "folder must be a plain name that matches %s, but was %s"
                            .formatted(OwnSpec.FOLDER, name));
        }
    }
}
