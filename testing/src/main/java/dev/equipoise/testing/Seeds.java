package dev.equipoise.testing;

/**
 * Seeds of randomized tests: fixed in the gate, taken from the clock at night ({@code
 * -Dequipoise.seed=clock}). A failure message contains its seed, and {@code -Dequipoise.seed=N}
 * repeats it.
 */
public final class Seeds {

    private static final String SETTING = System.getProperty("equipoise.seed", "20261125");

    private Seeds() {}

    /**
     * Returns the seed of a test.
     *
     * @throws NumberFormatException if the system property is neither {@code clock} nor a number
     */
    public static long seed() {
        return SETTING.equals("clock") ? System.nanoTime() : Long.parseLong(SETTING);
    }
}
