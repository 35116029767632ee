package dev.equipoise.protocol.network;

/** The arithmetic of shapes, which refuses what memory could never hold. */
final class Sizes {

    private Sizes() {}

    static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
    }

    /** The product, where it fits 31 bits. */
    static int product(int... factors) {
        long product = 1;
        for (int factor : factors) {
            product *= factor;
            if (product > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "holds at most %d numbers".formatted(Integer.MAX_VALUE));
            }
        }
        return (int) product;
    }

    /** The sum, where it fits 31 bits. */
    static int sum(int first, int second) {
        if ((long) first + second > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "holds at most %d parameters".formatted(Integer.MAX_VALUE));
        }
        return first + second;
    }
}
