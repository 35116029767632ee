package dev.equipoise.testing;

/**
 * Seeds of randomized tests: the same in each build of a commit, and new ones at night with {@code
 * -Dequipoise.seed=clock}. A test names its seed in the message of a failure, and {@code
 * -Dequipoise.seed=N} repeats it.
 */
public final class Seeds {

    private static final String SETTING = System.getProperty("equipoise.seed", "20261125");

    private Seeds() {}

    /**
     * The seed of a test.
     *
     * @throws NumberFormatException if the system property is neither {@code clock} nor a number
     */
    public static long seed() {
        return SETTING.equals("clock") ? System.nanoTime() : Long.parseLong(SETTING);
    }
}
