package dev.equipoise.protocol.dataset;

/** What is too small or too large for any data set, refused with the rule and the value. */
final class Bounds {

    private Bounds() {}

    static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be from %d to %d, but was %d".formatted(name, least, most, value));
        }
    }

    /** Refuses a set whose numbers one array could not hold. */
    static void numbers(int samples, int numbersOfASample) {
        long numbers = (long) samples * numbersOfASample;
        if (numbers > DatasetSpec.MOST_NUMBERS) {
            throw new IllegalArgumentException(
                    "samples times the numbers of a sample must be at most %d, but was %d"
                            .formatted(DatasetSpec.MOST_NUMBERS, numbers));
        }
    }

    /** The name of a folder and never a way to another one. */
    static void folder(String name) {
        if (!name.matches(DatasetSpec.FOLDER)) {
            throw new IllegalArgumentException(
                    "folder must be a plain name, %s, but was %s"
                            .formatted(DatasetSpec.FOLDER, name));
        }
    }
}
