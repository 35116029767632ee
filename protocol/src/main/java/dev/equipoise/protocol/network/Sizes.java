package dev.equipoise.protocol.network;

/** Checked arithmetic of shapes, which rejects sizes beyond 31 bits. */
final class Sizes {

    private Sizes() {}

    static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
    }

    /**
     * Returns the product.
     *
     * @throws IllegalArgumentException if it exceeds 31 bits
     */
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

    /**
     * Returns the sum.
     *
     * @throws IllegalArgumentException if it exceeds 31 bits
     */
    static int sum(int first, int second) {
        if ((long) first + second > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "holds at most %d parameters".formatted(Integer.MAX_VALUE));
        }
        return first + second;
    }
}
